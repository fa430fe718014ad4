/** Toasts, top centre. Their markup is a template of the document. */
import { notices } from "./messages";

const SHOWN_MS = 5000;

type Kind = "error" | "success" | "info";

/**
 * Shows a toast. It disappears after five seconds, but not while the pointer is on it or the focus in it, and not if it
 * has a link; and at once if `signal` aborts. The same text once more takes the place of the former.
 */
export type Toast = (
	kind: Kind,
	message: string,
	link?: HTMLAnchorElement,
	signal?: AbortSignal,
) => void;

export type Toasts = {
	toast: Toast;
	/** Shows a toast of what the page itself says and announces: screen readers do not announce it once more. */
	toastQuietly(kind: Kind, message: string): void;
	/**
	 * Shows the toasts in another live region than the document's, those that are on the screen too, until the returned function
	 * is called.
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
	// Those on the screen, by their texts; each function shows its toast as if it came now.
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
			// Removing an element takes the focus out of it.
			const next = hasFocus() ? focusedBefore : null;
			const region = shown.parentElement;
			shown.remove();
			nameRegion(region);
			if (next instanceof HTMLElement) next.focus();
		};
		const schedule = (): void => {
			clearTimeout(timer);
			if (!link)
				timer = window.setTimeout(
					() => hasFocus() || shown.matches(":hover") || remove(),
					SHOWN_MS,
				);
		};
		const show = (quietly: boolean): void => {
			if (quietly) shown.setAttribute("aria-live", "off");
			else shown.removeAttribute("aria-live");
			// Moved, it is announced once more; but moving takes the focus out of it.
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

/** The box of the toasts is a landmark while there are any. Empty, it would be one with nothing in it. */
function nameRegion(region: Element | null): void {
	if (!region?.childElementCount) {
		region?.removeAttribute("role");
		region?.removeAttribute("aria-label");
		return;
	}
	region.setAttribute("role", "region");
	region.setAttribute("aria-label", notices.title);
}
