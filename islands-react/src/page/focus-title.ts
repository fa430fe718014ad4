/** A new step starts at its heading, unless the person is already somewhere in it. */
export function focusTitle(): void {
	if (document.activeElement !== document.body) return;
	document
		.querySelector<HTMLElement>(".step__title")
		?.focus({ preventScroll: true });
}
