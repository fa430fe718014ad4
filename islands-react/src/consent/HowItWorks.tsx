import type { ReactNode } from "react";
import { consent as words } from "../messages";
import { Disclosure } from "../ui/Disclosure";

/** The five steps, and answers to what clients ask before they authorise access. */
export function HowItWorks(): ReactNode {
	return (
		<div className="consent__more">
			<section className="step__section">
				<h2 className="step__subtitle">{words.stepsTitle}</h2>
				<ol className="steps">
					{words.steps.map((step, index) => (
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
				{words.answers.map(({ question, answer }) => (
					<Disclosure key={question}>
						<summary>{question}</summary> <p>{answer}</p>
					</Disclosure>
				))}
			</div>
		</div>
	);
}
