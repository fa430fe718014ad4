/** Navigation: always to a path of this origin, and always replacing the history entry. */
import { OUTAGE, VALIDATED } from "../generated/routes";
import { notices } from "./messages";
import type { Toast } from "./toast";

/** A navigation that takes longer has stalled: the person may have stopped it. */
export const STALLED_AFTER_MS = 8000;

/**
 * Fired on the window when a navigation has stalled, or when the page comes back from the back/forward
 * cache. Busy controls become usable again. Leptos' islands listen to it as well
 * (`src/islands/page.rs`).
 */
export const RESUMED = "vincula-resumed";

/** Returns whether a text is a path of this origin: browsers read `//host` and `/\host` as others. */
function isOwnPath(to: string): boolean {
	return /^\/(?!\/)[^\\\s]*$/.test(to);
}

/** Whether something was done before a navigation, as the link after a stalled one says. */
export type Outcome = "done" | "not done";

export type Leaving = {
	/**
	 * Navigates to a path of this origin; anything else navigates to the error screen. If the
	 * navigation stalls, a toast offers a link to the same target.
	 */
	replace(to: string, outcome: Outcome): void;
	/**
	 * Continues a navigation that has stalled; without one it does nothing. Returns whether there is one.
	 * What starts an action calls this first, because the action before the navigation has been done.
	 */
	continueLeaving(): boolean;
	/**
	 * Withdraws the navigation and its link, because the target is outdated: the person has edited what
	 * was sent, or something else is being sent. The page no longer waits for the navigation.
	 */
	withdrawLink(): void;
};

/** Creates the navigation of one page. */
export function createLeaving(toast: Toast): Leaving {
	let timer = 0;
	let hasStalled = false;
	/** Repeats the latest navigation. */
	let again = (): void => {};
	// Aborted and replaced when the link is withdrawn.
	let withdrawn = new AbortController();

	function replace(to: string, outcome: Outcome): void {
		const target = isOwnPath(to) ? to : OUTAGE;
		again = () => replace(target, outcome);
		clearTimeout(timer);
		timer = window.setTimeout(
			() => offerLink(target, outcome),
			STALLED_AFTER_MS,
		);
		window.location.replace(target);
	}

	function continueLeaving(): boolean {
		if (hasStalled) again();
		return hasStalled;
	}

	function withdrawLink(): void {
		clearTimeout(timer);
		hasStalled = false;
		withdrawn.abort();
		withdrawn = new AbortController();
	}

	function offerLink(to: string, outcome: Outcome): void {
		hasStalled = true;
		resume();
		const link = document.createElement("a");
		link.href = to;
		link.textContent = notices.goOn;
		link.addEventListener("click", (event) => {
			event.preventDefault();
			again();
		});
		const message = outcome === "done" ? notices.done : "";
		toast("info", message, link, withdrawn.signal);
	}

	return { replace, continueLeaving, withdrawLink };
}

/**
 * Removes the query parameter that marks the navigation after a validation (`routes::VALIDATED`).
 * After a reload the server would take it as a sign that the browser drops cookies.
 */
export function removeMark(): void {
	const url = new URL(location.href);
	const [mark = ""] = VALIDATED.split("=");
	if (!url.searchParams.has(mark)) return;
	url.searchParams.delete(mark);
	history.replaceState(history.state, "", url);
}

/** Resumes a page that comes back from the back/forward cache, which may show an aborted call as busy. */
export function watchReturn(): void {
	window.addEventListener("pageshow", ({ persisted }) => {
		if (persisted) resume();
	});
}

function resume(): void {
	window.dispatchEvent(new Event(RESUMED));
}
