/**
 * Before a Leptos island is hydrated, the browser posts its form. This module marks the form's button
 * as busy during that post, and prevents a second one by another click or by the hydrated island.
 */
import { RESUMED } from "./navigate";

/** After this time the form can be posted again, because the person may have stopped the navigation. */
const STALLED_AFTER_MS = 8000;

export function watchNativeForms(): void {
	// Captured, so that it runs before the island's handler.
	addEventListener("submit", refuseWhileBusy, { capture: true });
	addEventListener("submit", markAsBusy);
}

function refuseWhileBusy(event: Event): void {
	if (buttonOf(event)?.getAttribute("aria-busy") !== "true") return;
	event.preventDefault();
	event.stopImmediatePropagation();
}

/** Marks the button, unless the island's handler has prevented the post. */
function markAsBusy(event: Event): void {
	const button = buttonOf(event);
	if (!button || event.defaultPrevented) return;
	button.setAttribute("aria-busy", "true");
	const release = (): void => {
		clearTimeout(timer);
		removeEventListener(RESUMED, release);
		button.setAttribute("aria-busy", "false");
	};
	const timer = setTimeout(release, STALLED_AFTER_MS);
	addEventListener(RESUMED, release);
}

/** The submit button of the submitted form, if the form is part of an island. */
function buttonOf({ target }: Event): HTMLButtonElement | null | undefined {
	if (!(target instanceof HTMLFormElement) || !target.closest("leptos-island"))
		return undefined;
	return target.querySelector<HTMLButtonElement>('button[type="submit"]');
}
