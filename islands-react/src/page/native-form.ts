/**
 * The form of a Leptos island works before the island does: the browser posts it. This module keeps that post from being
 * repeated, by a second press or by the island once it is hydrated, and lets the button show that it is running.
 */

/** How long a post may take before it can be repeated: the person may have stopped it. */
const STAYS_AFTER_MS = 8000;

export function watchNativeForms(): void {
	// Captured, so before the island's own handler.
	addEventListener("submit", refuseWhileBusy, { capture: true });
	addEventListener("submit", markAsBusy);
}

function refuseWhileBusy(event: Event): void {
	if (buttonOf(event)?.getAttribute("aria-busy") !== "true") return;
	event.preventDefault();
	event.stopImmediatePropagation();
}

/** The island's handler prevents the browser's post, and marks the button by itself. */
function markAsBusy(event: Event): void {
	const button = buttonOf(event);
	if (!button || event.defaultPrevented) return;
	button.setAttribute("aria-busy", "true");
	const release = (): void => {
		clearTimeout(timer);
		removeEventListener("vincula-stays", release);
		button.setAttribute("aria-busy", "false");
	};
	const timer = setTimeout(release, STAYS_AFTER_MS);
	// The page has come back from the back/forward cache.
	addEventListener("vincula-stays", release);
}

/** The button of a submitted form of an island. */
function buttonOf({ target }: Event): HTMLButtonElement | null | undefined {
	if (!(target instanceof HTMLFormElement) || !target.closest("leptos-island"))
		return undefined;
	return target.querySelector<HTMLButtonElement>('button[type="submit"]');
}
