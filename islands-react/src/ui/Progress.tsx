import type { ReactNode } from "react";
import { progress, steps } from "../messages";

/**
 * The id of the row's name, "Passo 1 de 5". Titles refer to it by `aria-describedby`, because screen
 * readers start at the focused title and would not read the row above it.
 */
export const PROGRESS_ID = "passo";

/** The numbers of the first and the last step on each screen. */
const CURRENT = { authorize: [1, 1], bank: [2, 3], connect: [4, 4] } as const;

/** The row of the five steps above a title. */
export function Progress({ at }: { at: keyof typeof progress }): ReactNode {
	const [first, last] = CURRENT[at];
	const stateOf = (number: number) => {
		if (number < first) return "done";
		return number <= last ? "now" : "due";
	};
	return (
		<>
			<p id={PROGRESS_ID} hidden>
				{progress[at]}
			</p>
			<ol className="progress" aria-labelledby={PROGRESS_ID}>
				{steps.map((label, index) => (
					<li
						key={label}
						className="progress__step"
						data-state={stateOf(index + 1)}
						aria-current={index + 1 === first ? "step" : undefined}
					>
						<span className="progress__number">{` ${index + 1} `}</span>
						<span className="progress__label">{label}</span>
					</li>
				))}
			</ol>
		</>
	);
}
