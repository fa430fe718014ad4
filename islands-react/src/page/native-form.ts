/**
 * Before an island is hydrated, the browser posts its form. This module marks the form's button as busy
 * during that post, and prevents a second one, by another press or by the island, which may be hydrated
 * meanwhile. It does nothing else with a form that its island operates: the island's handler prevents
 * the browser's post.
 */
import { RESUMED, STALLED_AFTER_MS } from "./navigate";

export function watchNativeForms(): void {
	/** The forms that the browser is posting. */
	const posting = new Set<EventTarget | null>();
	// Captured, so that it runs before the island's handler.
	addEventListener(
		"submit",
		(event) => {
			if (!posting.has(event.target)) return;
			event.preventDefault();
			event.stopImmediatePropagation();
		},
		{ capture: true },
	);
	addEventListener("submit", (event) => {
		const { target } = event;
		const button = buttonOf(target);
		if (!button || event.defaultPrevented) return;
		posting.add(target);
		const before = button.getAttribute("aria-busy");
		button.setAttribute("aria-busy", "true");
		const release = (): void => {
			clearTimeout(timer);
			removeEventListener(RESUMED, release);
			posting.delete(target);
			// As the island has rendered it.
			if (before === null) button.removeAttribute("aria-busy");
			else button.setAttribute("aria-busy", before);
		};
		const timer = setTimeout(release, STALLED_AFTER_MS);
		addEventListener(RESUMED, release);
	});
}

/** The submit button of the submitted form, if the form is part of an island. */
function buttonOf(
	target: EventTarget | null,
): HTMLButtonElement | null | undefined {
	if (!(target instanceof HTMLFormElement) || !target.closest("leptos-island"))
		return undefined;
	return target.querySelector<HTMLButtonElement>('button[type="submit"]');
}
