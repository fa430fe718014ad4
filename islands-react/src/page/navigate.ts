/** Leaves the page, always for a path of this origin, always replacing the history entry; and its own address. */
import { OUTAGE, VALIDATED } from "../generated/routes";
import { notices } from "./messages";
import type { Toast } from "./toast";

/** How long a page may take to go before it offers the way on itself. */
const STAYS_AFTER_MS = 8000;

/** Dispatched on the window when the page was left and is still there: what is busy becomes free. */
const STAYS = "vincula-stays";

/** Whether a text is a path of this origin: to a browser, `//host` and `/\host` are other origins. */
function isOwnPath(to: string): boolean {
	return /^\/(?!\/)[^\\\s]*$/.test(to);
}

export type Leaving = {
	/**
	 * Goes to a path of this origin. For anything else it goes to the error screen. If the page is still there after a while
	 * (the navigation was stopped, or nothing came), it offers a link to the same place; `done` says that it succeeded.
	 */
	replace(to: string, done?: boolean): void;
	/** Withdraws the way on that the page offers, or would offer: the person has edited what was sent. */
	withdrawWayOn(): void;
};

/** How one page is left. */
export function createLeaving(toast: Toast): Leaving {
	let timer = 0;
	// Aborted, and replaced, once the person edits the page: where it was about to go holds what was there before.
	let edited = new AbortController();

	function replace(to: string, done = true): void {
		const target = isOwnPath(to) ? to : OUTAGE;
		const { signal } = edited;
		clearTimeout(timer);
		timer = window.setTimeout(() => stay(target, done, signal), STAYS_AFTER_MS);
		window.location.replace(target);
	}

	function withdrawWayOn(): void {
		edited.abort();
		edited = new AbortController();
	}

	function stay(to: string, done: boolean, signal: AbortSignal): void {
		if (signal.aborted) {
			release();
			return;
		}
		const goOn = (event: Event): void => {
			event.preventDefault();
			event.stopImmediatePropagation();
			replace(to, done);
		};
		// What a busy button stands for has been done: pressed again it leads on and does not repeat it.
		for (const button of document.querySelectorAll(
			'button[aria-busy="true"]',
		)) {
			button.addEventListener("click", goOn, { capture: true, signal });
		}
		release();
		const link = document.createElement("a");
		link.href = to;
		link.textContent = notices.goOn;
		link.addEventListener("click", goOn);
		toast("info", done ? notices.done : "", link, signal);
	}

	return { replace, withdrawWayOn };
}

/**
 * Removes the mark by which a validated link leads to its step without this script (`routes::VALIDATED`). After a reload it
 * would say that the browser keeps no cookies.
 */
export function removeMark(): void {
	const url = new URL(location.href);
	const [mark = ""] = VALIDATED.split("=");
	if (!url.searchParams.has(mark)) return;
	url.searchParams.delete(mark);
	history.replaceState(history.state, "", url);
}

/** A page from the back/forward cache is as it was when it was left: maybe busy with a call that has ended. */
export function watchReturn(): void {
	window.addEventListener(
		"pageshow",
		({ persisted }) => persisted && release(),
	);
}

function release(): void {
	window.dispatchEvent(new Event(STAYS));
}
