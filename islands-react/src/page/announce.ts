/** What screen readers say when a page changes. */

/** How long a live region stays empty before it says the same text again. Screen readers miss shorter gaps. */
export const SILENT_MS = 150;

/** Focuses the heading of a step, unless something else that is shown has the focus. */
export function focusTitle(): void {
	if (!document.activeElement?.matches("body, [hidden] *")) return;
	document
		.querySelector<HTMLElement>(".step__title")
		?.focus({ preventScroll: true });
}
