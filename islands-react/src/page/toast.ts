/** Toasts at the top of the screen. Their markup is a template in the document. */
import { notices } from "./messages";

const SHOWN_MS = 5000;

type Kind = "error" | "success" | "info";

/**
 * Shows a toast for five seconds, and longer while it has the pointer or the focus. A toast with a link
 * stays. `signal` removes it. A toast with the same text and link replaces the earlier one.
 */
export type Toast = (
	kind: Kind,
	message: string,
	link?: HTMLAnchorElement,
	signal?: AbortSignal,
) => void;

export type Toasts = {
	toast: Toast;
	/** Shows a toast that screen readers do not announce, because the page announces its content. */
	toastQuietly(kind: Kind, message: string): void;
	/**
	 * Moves all toasts, present and future, from the document's live region to another one, until the
	 * returned function is called.
	 */
	showToastsIn(region: Element): () => void;
};

type Content = {
	kind: Kind;
	message: string;
	link?: HTMLAnchorElement | undefined;
	signal?: AbortSignal | undefined;
	isQuiet: boolean;
};

/** The toasts of one page. */
export function createToasts(): Toasts {
	// The toasts on the screen, by text and link; each function shows its toast again.
	const shownNow = new Map<string, (isQuiet: boolean) => void>();
	let otherRegion: Element | undefined;
	const regionNow = (): Element | null =>
		otherRegion ?? document.getElementById("toasts");

	const toast: Toast = (kind, message, link, signal) =>
		put({ kind, message, link, signal, isQuiet: false });
	const toastQuietly: Toasts["toastQuietly"] = (kind, message) =>
		put({ kind, message, isQuiet: true });

	function put({ kind, message, link, signal, isQuiet }: Content): void {
		const key = message + (link?.href ?? "");
		const again = shownNow.get(key);
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
		const [text, close] = [shown.firstElementChild, shown.lastElementChild];
		text?.append(message, ...(link ? [message && " ", link] : []));
		let focusedBefore: EventTarget | null = null;
		let timer = 0;
		const hasFocus = (): boolean => shown.contains(document.activeElement);
		const remove = (): void => {
			clearTimeout(timer);
			shownNow.delete(key);
			// Removing the toast would lose the focus.
			const next = hasFocus() ? focusedBefore : null;
			const region = shown.parentElement;
			shown.remove();
			nameRegion(region);
			if (next instanceof HTMLElement) next.focus();
		};
		const removeUnlessUsed = (): void => {
			if (!hasFocus() && !shown.matches(":hover")) remove();
		};
		const schedule = (): void => {
			clearTimeout(timer);
			if (!link) timer = window.setTimeout(removeUnlessUsed, SHOWN_MS);
		};
		const show = (quietly: boolean): void => {
			if (quietly) shown.setAttribute("aria-live", "off");
			else shown.removeAttribute("aria-live");
			// Moving it announces it again, but would take the focus out of it.
			if (!hasFocus()) regionNow()?.append(shown);
			nameRegion(regionNow());
			schedule();
		};
		shown.addEventListener("mouseleave", schedule);
		shown.addEventListener("focusout", schedule);
		shown.addEventListener("focusin", ({ relatedTarget }) => {
			if (!(relatedTarget instanceof Node && shown.contains(relatedTarget)))
				focusedBefore = relatedTarget;
		});
		close?.addEventListener("click", remove);
		signal?.addEventListener("abort", remove);
		shownNow.set(key, show);
		show(isQuiet);
	}

	function showToastsIn(region: Element): () => void {
		const before = regionNow();
		otherRegion = region;
		move(before, region);
		return () => {
			otherRegion = undefined;
			move(region, regionNow());
		};
	}

	return { toast, toastQuietly, showToastsIn };
}

function move(from: Element | null, to: Element | null): void {
	to?.append(...(from?.children ?? []));
	nameRegion(from);
	nameRegion(to);
}

/** Makes the toasts' container a landmark while it is not empty. */
function nameRegion(region: Element | null): void {
	if (!region?.childElementCount) {
		region?.removeAttribute("role");
		region?.removeAttribute("aria-label");
		return;
	}
	region.setAttribute("role", "region");
	region.setAttribute("aria-label", notices.title);
}
