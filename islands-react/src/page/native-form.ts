/**
 * Before an island is hydrated, the browser posts its form. Until the page has been left, this module
 * prevents a second post, by another press or by the island, which may be hydrated meanwhile.
 */
import { FREED_AFTER_MS, RESUMED } from "./navigate";

export function guardNativeForms(): void {
	let isPosting = false;
	// Captured, so that it runs before the island's handler.
	addEventListener(
		"submit",
		(event) => {
			if (!isPosting) return;
			event.preventDefault();
			event.stopImmediatePropagation();
		},
		{ capture: true },
	);
	addEventListener("submit", ({ defaultPrevented, submitter }) => {
		// The island operates its form itself.
		if (defaultPrevented) return;
		const setPosting = (posts: boolean): void => {
			isPosting = posts;
			submitter?.setAttribute("aria-busy", String(posts));
		};
		const free = (): void => setPosting(false);
		setPosting(true);
		setTimeout(free, FREED_AFTER_MS);
		addEventListener(RESUMED, free, { once: true });
	});
}
