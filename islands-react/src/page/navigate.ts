/** Navigation: always to a path of this origin, and always replacing the history entry. */
import { OUTAGE } from "../generated/routes";

/** After this time without leaving the page, a navigation counts as stalled: the person may have stopped it. */
const STALLED_AFTER_MS = 8000;

let timer = 0;

/**
 * Navigates to a path of this origin; anything else navigates to the error screen. Resolves if the
 * navigation has stalled, so that busy controls can be used again. It never resolves if the page is left,
 * or if a later navigation has begun.
 */
export function replace(to: string): Promise<void> {
	clearTimeout(timer);
	window.location.replace(isOwnPath(to) ? to : OUTAGE);
	return new Promise((resolve) => {
		timer = window.setTimeout(resolve, STALLED_AFTER_MS);
	});
}

/** Reloads a page that comes back from the back/forward cache, whose calls and navigation were aborted. */
export function watchReturn(): void {
	window.addEventListener("pageshow", ({ persisted }) => {
		if (persisted) window.location.reload();
	});
}

/** Returns whether a text is a path of this origin: browsers read `//host` and `/\host` as others. */
export function isOwnPath(to: string): boolean {
	return /^\/(?!\/)[^\\\s]*$/.test(to);
}
