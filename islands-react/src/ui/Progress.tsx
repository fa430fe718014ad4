import type { ReactNode } from "react";
import { STEPS } from "../generated/words";
import { progress } from "../messages";

/**
 * The id of the row's name, "Passo 1 de 5". A title with the focus has it as its description (`aria-describedby`), because
 * screen readers begin at the title and would not read what is above it.
 */
export const PROGRESS_ID = "passo";

/** The numbers of the first and the last step that a screen is. */
const NOW = { authorize: [1, 1], bank: [2, 3], connect: [4, 4] } as const;

/** The five steps of a new integration in a row, above a title (the server's twin: `Progress` in `pages/src/parts.rs`). */
export function Progress({ at }: { at: keyof typeof progress }): ReactNode {
	const [first, last] = NOW[at];
	const stateOf = (number: number) =>
		number < first ? "done" : number <= last ? "now" : "due";
	return (
		<>
			<p id={PROGRESS_ID} hidden>
				{progress[at]}
			</p>
			<ol className="progress" aria-labelledby={PROGRESS_ID}>
				{STEPS.map((label, index) => (
					<li
						key={label}
						className="progress__step"
						data-state={stateOf(index + 1)}
						aria-current={index + 1 === first ? "step" : undefined}
					>
						<span className="progress__number">{index + 1}</span>{" "}
						<span className="progress__label">{label}</span>
					</li>
				))}
			</ol>
		</>
	);
}
