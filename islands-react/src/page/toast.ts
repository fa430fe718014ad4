/** The toast of a failed request, at the top of the screen. Its markup is a template in the document. */
const SHOWN_MS = 5000;

export type Toast = {
	/**
	 * Shows the toast for five seconds, and longer while it has the pointer or the focus. If it is shown
	 * already, it is announced again, and its time starts again.
	 */
	show(): void;
	/**
	 * Moves the toast, now and later, from the document's live region to another one, until the returned
	 * function is called.
	 */
	showIn(region: Element): () => void;
};

/** The toast of one page. */
export function createToast(): Toast {
	/** The toast on the screen. */
	let shown: HTMLElement | undefined;
	let otherRegion: Element | undefined;
	let focusedBefore: EventTarget | null = null;
	let timer = 0;

	const hasFocus = (): boolean =>
		shown?.contains(document.activeElement) === true;

	function show(): void {
		shown ??= create();
		// Moving it announces it again, but would take the focus out of it.
		if (!hasFocus()) place();
		schedule();
	}

	function place(): void {
		const region = otherRegion ?? document.getElementById("toasts");
		if (shown !== undefined) region?.append(shown);
	}

	function create(): HTMLElement | undefined {
		const template =
			document.querySelector<HTMLTemplateElement>("template#toast");
		const toast = template?.content.firstElementChild?.cloneNode(true);
		if (!(toast instanceof HTMLElement)) return undefined;
		toast.addEventListener("mouseleave", schedule);
		toast.addEventListener("focusout", schedule);
		toast.addEventListener("focusin", ({ relatedTarget }) => {
			if (!(relatedTarget instanceof Node && toast.contains(relatedTarget)))
				focusedBefore = relatedTarget;
		});
		toast.lastElementChild?.addEventListener("click", remove);
		return toast;
	}

	function schedule(): void {
		clearTimeout(timer);
		timer = window.setTimeout(removeUnlessUsed, SHOWN_MS);
	}

	function removeUnlessUsed(): void {
		if (!hasFocus() && !shown?.matches(":hover")) remove();
	}

	function remove(): void {
		clearTimeout(timer);
		// Removing the toast would lose the focus.
		const next = hasFocus() ? focusedBefore : null;
		shown?.remove();
		shown = undefined;
		if (next instanceof HTMLElement) next.focus();
	}

	function showIn(region: Element): () => void {
		moveTo(region);
		return () => moveTo(undefined);
	}

	function moveTo(region: Element | undefined): void {
		otherRegion = region;
		place();
	}

	return { show, showIn };
}
