import type { ReactNode } from "react";
import { progress, stepIsDone, steps } from "../messages";

/**
 * The id of the row's name, "Passo 1 de 5". Titles refer to it by `aria-describedby`, because screen
 * readers start at the focused title and would not read the row above it.
 */
export const PROGRESS_ID = "passo";

/** The number of the current step. The bank form is the second and the third. */
const CURRENT = { authorize: 1, bank: 2, connect: 4 } as const;

/** The row of the five steps above a title. A step that is done has a check in place of its number. */
export function Progress({ at }: { at: keyof typeof progress }): ReactNode {
	return (
		<>
			<p id={PROGRESS_ID} hidden>
				{progress[at]}
			</p>
			<ol className="progress" aria-labelledby={PROGRESS_ID}>
				{steps.map((label, index) => (
					<Step
						key={label}
						number={index + 1}
						label={label}
						current={CURRENT[at]}
					/>
				))}
			</ol>
		</>
	);
}

/** For the name of a step that is not the current one. */
const SHOWN_ON_DESKTOP = "visually-hidden visually-hidden--below-desktop";

type StepProps = { number: number; label: string; current: number };

function Step({ number, label, current }: StepProps): ReactNode {
	if (number < current) {
		return (
			<li className="progress__step" data-state="done">
				<svg
					className="progress__number"
					viewBox="0 0 24 24"
					aria-hidden="true"
				>
					<path d="m7 12.5 3.5 3.5L17 9" />
				</svg>{" "}
				<span className={SHOWN_ON_DESKTOP}>
					{label}
					<span className="visually-hidden">, {stepIsDone}</span>
				</span>
			</li>
		);
	}
	return (
		<li
			className="progress__step"
			data-state={number === current ? "now" : "due"}
			aria-current={number === current ? "step" : undefined}
		>
			<span className="progress__number">{` ${number} `}</span>
			<span className={number === current ? undefined : SHOWN_ON_DESKTOP}>
				{label}
			</span>
		</li>
	);
}
