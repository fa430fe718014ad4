/** Navigation: always to a path of this origin, and always replacing the history entry. */
import { OUTAGE } from "../generated/routes";

/** How long after a navigation has begun busy controls are freed: the person may have stopped it. */
export const FREED_AFTER_MS = 8000;

/**
 * Fired on the window when busy controls become usable again: the page is still there some time after a
 * navigation has begun, or it comes back from the back/forward cache. Leptos' islands listen to it as
 * well.
 */
export const RESUMED = "vincula-resumed";

/** Navigates to a path of this origin; anything else navigates to the error screen. */
export function replace(to: string): void {
	window.location.replace(isOwnPath(to) ? to : OUTAGE);
	setTimeout(resume, FREED_AFTER_MS);
}

/** Resumes a page that comes back from the back/forward cache, which may show an aborted call as busy. */
export function watchReturn(): void {
	window.addEventListener("pageshow", ({ persisted }) => {
		if (persisted) resume();
	});
}

/** Returns whether a text is a path of this origin: browsers read `//host` and `/\host` as others. */
function isOwnPath(to: string): boolean {
	return /^\/(?!\/)[^\\\s]*$/.test(to);
}

function resume(): void {
	window.dispatchEvent(new Event(RESUMED));
}
