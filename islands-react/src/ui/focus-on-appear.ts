/** A ref that focuses its element on mount, for an element that replaces a focused control. */
export function focusOnAppear(element: HTMLElement | null): void {
	element?.focus({ preventScroll: true });
}
