/** Focuses the heading of a new step, unless something on the page already has the focus. */
export function focusTitle(): void {
	if (document.activeElement !== document.body) return;
	document
		.querySelector<HTMLElement>(".step__title")
		?.focus({ preventScroll: true });
}
