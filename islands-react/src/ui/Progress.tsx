import type { ReactNode } from "react";
import { progress } from "../messages";

/**
 * The id of the text that says which step this is. The title refers to it, because a title with the focus
 * is read without what stands above it.
 */
export const PROGRESS_ID = "passo";

/** The steps up to the current one are filled. The bank form is the second and the third. */
const FILLED = { authorize: 1, bank: 3, connect: 4, confirm: 5 } as const;

/** Which of the five steps of a new integration this is, as a text and a bar. */
export function Progress({ at }: { at: keyof typeof progress }): ReactNode {
	return (
		<div className="progress">
			<p className="progress__text" id={PROGRESS_ID}>
				{progress[at]}
			</p>
			<div className="progress__bar" aria-hidden="true">
				{[1, 2, 3, 4, 5].map((step) => (
					<span
						key={step}
						className="progress__segment"
						data-filled={step <= FILLED[at] ? "" : undefined}
					/>
				))}
			</div>
		</div>
	);
}
