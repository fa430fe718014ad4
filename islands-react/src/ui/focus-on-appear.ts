/** Ref of what takes the place of a control that had the focus: it takes the focus when it appears. */
export function focusOnAppear(element: HTMLElement | null): void {
	element?.focus({ preventScroll: true });
}
