import { type ReactNode, useSyncExternalStore } from "react";
import { consent as words } from "../messages";

/** From this width the explanation stands next to the form (`consent.css`). */
const WIDE = "(min-width: 850px)";

/** The five steps, and answers to what clients ask before they authorise access. */
export function HowItWorks({
	customerName,
	privacyUrl,
}: {
	customerName: string;
	privacyUrl: string | null;
}): ReactNode {
	const isWide = useSyncExternalStore(
		subscribeToWidth,
		isWideNow,
		isWideOnServer,
	);
	return (
		<div className="consent__more">
			<section className="step__section">
				<h2 className="step__subtitle">{words.stepsTitle}</h2>
				<ol className="steps">
					{words.steps(customerName).map((step, index) => (
						<li
							key={step}
							className="steps__item"
							aria-current={index === 0 ? "step" : undefined}
						>
							<span className="steps__number">{` ${index + 1} `}</span>
							<span className="steps__text">{step}</span>
						</li>
					))}
				</ol>
			</section>
			<div className="consent__about">
				{words.answers(customerName).map(({ question, answer }) => (
					<details key={question} className="disclosure" open={isWide}>
						<summary>{question}</summary> <p>{answer}</p>
					</details>
				))}
				{privacyUrl !== null && (
					<p>
						<a
							className="link-quiet"
							href={privacyUrl}
							rel="noreferrer"
							data-privacy=""
						>
							{words.privacy}
						</a>
					</p>
				)}
			</div>
		</div>
	);
}

function subscribeToWidth(onChange: () => void): () => void {
	const query = matchMedia(WIDE);
	query.addEventListener("change", onChange);
	return () => query.removeEventListener("change", onChange);
}

function isWideNow(): boolean {
	return matchMedia(WIDE).matches;
}

/** Prerendered answers are open: without JavaScript they must be readable on wide screens. */
function isWideOnServer(): boolean {
	return true;
}
