/** Screen readers miss a focus that follows the closing of a dialog immediately. */
const FOCUSED_AFTER_MS = 200;

/** A ref that focuses its element shortly after mount, for an element that replaces a focused control. */
export function focusOnAppear(element: HTMLElement | null): () => void {
	const timer = setTimeout(
		() => element?.focus({ preventScroll: true }),
		FOCUSED_AFTER_MS,
	);
	return () => clearTimeout(timer);
}
