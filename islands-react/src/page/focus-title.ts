/** Focuses the heading of a step, unless something else that is shown has the focus. */
export function focusTitle(): void {
	if (!document.activeElement?.matches("body, [hidden] *")) return;
	document
		.querySelector<HTMLElement>(".step__title")
		?.focus({ preventScroll: true });
}
