import type { ReactNode } from "react";
import { ACCOUNTS } from "../generated/routes";
import type { ConsentContext, PageContext } from "../generated/types";
import { consent as words } from "../messages";
import { Disclosure } from "../ui/Disclosure";
import { PROGRESS_ID, Progress } from "../ui/Progress";
import { ConsentForm } from "./ConsentForm";
import { HowItWorks } from "./HowItWorks";

/** Texts of the session. At build time each is a token, which the server replaces. */
type ConsentProps = Pick<
	PageContext,
	"session" | "customerName" | "clientName"
> &
	ConsentContext;

/** The authorisation screen below the firm's name: the step, the request with its form, and an explanation. */
export function Consent(props: ConsentProps): ReactNode {
	const { session, customerName, clientName, clientDocument } = props;
	return (
		<>
			<Progress at="authorize" />
			<div className="band__sheet">
				<div className="consent__request" data-standalone="">
					<section className="consent__part">
						<div className="step__head">
							<h1
								className="step__title"
								tabIndex={-1}
								aria-describedby={PROGRESS_ID}
							>
								<span translate="no">{customerName}</span>{" "}
								<span>{words.title}</span>
							</h1>
							<p className="consent__client">
								<span>
									{words.client} <strong translate="no">{clientName}</strong>
								</span>{" "}
								<span className="consent__document" translate="no">
									{clientDocument}
								</span>
							</p>
						</div>
						<p className="consent__promise">
							<svg
								className="consent__lock"
								viewBox="0 0 24 24"
								aria-hidden="true"
							>
								<rect x="4.5" y="10.5" width="15" height="10" rx="2.5" />
								<path d="M8 10.5V7.5a4 4 0 0 1 8 0v3M12 14.5v2" />
							</svg>
							<span>
								<strong>{words.readOnly}</strong> {words.readOnlyText}
							</span>
						</p>
						<section className="consent__data">
							<h2 className="consent__subtitle">{words.dataTitle}</h2>
							<ul className="data-list">
								{words.data.map((item) => (
									<li key={item} className="data-list__item">
										{item}
									</li>
								))}
							</ul>
							<p>
								<strong>{words.purpose}</strong>{" "}
								<span>{words.purposeText}</span> <br />
								<strong>{words.term}</strong>
							</p>
						</section>
						<ConsentForm session={session} />
					</section>
					<Disclosure>
						<summary>{words.doubt}</summary>
						<p>{words.doubtAnswer}</p>
					</Disclosure>
					<p className="step__way-out">
						<span>{words.already}</span>{" "}
						<a className="link-quiet" href={ACCOUNTS}>
							{words.seeAccounts}
						</a>
					</p>
				</div>
				<HowItWorks />
			</div>
		</>
	);
}
