/** The toast of a failed request, at the top of the screen. Its markup is a template in the document. */
const SHOWN_MS = 5000;

export type Toast = {
	/**
	 * Shows the toast for five seconds, and longer while it has the pointer or the focus. If it is shown
	 * already, it is announced again, and its time starts again.
	 */
	show(): void;
	/**
	 * Shows the toast without an announcement, because the page announces the same. It is in no live
	 * region: even with `aria-live="off"` Orca would then leave out the page's text as a repetition.
	 */
	showQuietly(): void;
	/**
	 * Moves the toast, now and later, from the document's container to another one, until the returned
	 * function is called. The live region of a container is its child.
	 */
	showIn(container: Element): () => void;
};

/** The toast of one page. */
export function createToast(): Toast {
	/** The toast on the screen. */
	let shown: HTMLElement | undefined;
	let otherContainer: Element | undefined;
	let focusedBefore: EventTarget | null = null;
	let timer = 0;

	const regionNow = (): Element | null =>
		liveRegion(otherContainer ?? document.getElementById("toasts"));
	const hasFocus = (): boolean =>
		shown?.contains(document.activeElement) === true;

	function put(isQuiet: boolean): void {
		shown ??= create();
		// Moving it announces it again, but would take the focus out of it.
		if (!hasFocus()) place(isQuiet);
		schedule();
	}

	function place(isQuiet: boolean): void {
		if (shown === undefined) return;
		if (isQuiet) regionNow()?.before(shown);
		else regionNow()?.append(shown);
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

	function showIn(container: Element): () => void {
		moveTo(container);
		return () => moveTo(undefined);
	}

	function moveTo(container: Element | undefined): void {
		const isQuiet = shown?.parentElement === regionNow()?.parentElement;
		otherContainer = container;
		place(isQuiet);
	}

	return {
		show: () => put(false),
		showQuietly: () => put(true),
		showIn,
	};
}

function liveRegion(container: Element | null): Element | null {
	return container?.querySelector(":scope > [aria-live]") ?? null;
}
