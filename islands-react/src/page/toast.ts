/** Toasts at the top of the screen. Their markup is a template in the document. */
const SHOWN_MS = 5000;

type Kind = "error" | "success" | "info";

/**
 * Shows a toast for five seconds, and longer while it has the pointer or the focus. A toast with the
 * same text replaces the earlier one.
 */
type Toast = (kind: Kind, message: string) => void;

export type Toasts = {
	toast: Toast;
	/**
	 * Shows a toast that screen readers do not announce, because the page announces its content. It is
	 * in no live region: even with `aria-live="off"` Orca would then leave out the page's text as a
	 * repetition.
	 */
	toastQuietly: Toast;
	/**
	 * Moves all toasts, present and future, from the document's container to another one, until the
	 * returned function is called. The live region of a container is its child.
	 */
	showToastsIn(container: Element): () => void;
};

/** The toasts of one page. */
export function createToasts(): Toasts {
	// The toasts on the screen, by text; each function shows its toast again.
	const shownNow = new Map<string, (isQuiet: boolean) => void>();
	let otherContainer: Element | undefined;
	let number = 0;
	const containerNow = (): Element | null =>
		otherContainer ?? document.getElementById("toasts");

	const toast: Toast = (kind, message) => put(kind, message, "announced");
	const toastQuietly: Toast = (kind, message) => put(kind, message, "quiet");

	function put(
		kind: Kind,
		message: string,
		sound: "announced" | "quiet",
	): void {
		const isQuiet = sound === "quiet";
		const again = shownNow.get(message);
		if (again) {
			again(isQuiet);
			return;
		}
		const template =
			document.querySelector<HTMLTemplateElement>("template#toast");
		const shown = template?.content.firstElementChild?.cloneNode(true) as
			| HTMLElement
			| undefined;
		if (shown === undefined) return;
		shown.className = `toast toast--${kind}`;
		// Landmarks need different names.
		number = shownNow.size === 0 ? 1 : number + 1;
		if (number > 1)
			shown.setAttribute(
				"aria-label",
				`${shown.getAttribute("aria-label")} ${number}`,
			);
		const [text, close] = [shown.firstElementChild, shown.lastElementChild];
		text?.append(message);
		let focusedBefore: EventTarget | null = null;
		let timer = 0;
		const hasFocus = (): boolean => shown.contains(document.activeElement);
		const remove = (): void => {
			clearTimeout(timer);
			shownNow.delete(message);
			// Removing the toast would lose the focus.
			const next = hasFocus() ? focusedBefore : null;
			shown.remove();
			if (next instanceof HTMLElement) next.focus();
		};
		const removeUnlessUsed = (): void => {
			if (!hasFocus() && !shown.matches(":hover")) remove();
		};
		const schedule = (): void => {
			clearTimeout(timer);
			timer = window.setTimeout(removeUnlessUsed, SHOWN_MS);
		};
		const show = (quietly: boolean): void => {
			const announced = liveRegion(containerNow());
			// Moving it announces it again, but would take the focus out of it.
			if (!hasFocus()) {
				if (quietly) announced?.before(shown);
				else announced?.append(shown);
			}
			schedule();
		};
		shown.addEventListener("mouseleave", schedule);
		shown.addEventListener("focusout", schedule);
		shown.addEventListener("focusin", ({ relatedTarget }) => {
			if (!(relatedTarget instanceof Node && shown.contains(relatedTarget)))
				focusedBefore = relatedTarget;
		});
		close?.addEventListener("click", remove);
		shownNow.set(message, show);
		show(isQuiet);
	}

	function showToastsIn(container: Element): () => void {
		const before = containerNow();
		otherContainer = container;
		move(before, container);
		return () => {
			otherContainer = undefined;
			move(container, containerNow());
		};
	}

	return { toast, toastQuietly, showToastsIn };
}

function move(from: Element | null, to: Element | null): void {
	const [announced, other] = [liveRegion(from), liveRegion(to)];
	const quiet = from?.querySelectorAll(":scope > .toast") ?? [];
	other?.before(...quiet);
	other?.append(...(announced?.children ?? []));
}

function liveRegion(container: Element | null): Element | null {
	return container?.querySelector(":scope > [aria-live]") ?? null;
}
