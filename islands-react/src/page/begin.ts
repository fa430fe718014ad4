/**
 * The first script of the entry. It requests the validation of the link before the browser parses
 * anything else. The request is a POST, so that link previews never use up a token.
 */

import { COOKIES_BLOCKED } from "../generated/routes";
import type { ValidateTokenInput } from "../generated/types";
import { type Arrival, arrivalOf, type RetryReason } from "./arrival";

/** For this long the entry stays blank: rendering the spinner would delay a step about to arrive. */
const BLANK_MS = 500;

declare global {
	interface Window {
		/**
		 * On the entry only, for `enter.ts`: this script runs before the head is parsed, that one in the
		 * body, and inline scripts cannot import one another.
		 */
		vinculaEntry?: {
			validate: () => Promise<Arrival | RetryReason>;
			first: Promise<Arrival | RetryReason>;
		};
	}
}

const first = afterPrerendering().then(validate);
window.vinculaEntry = { validate, first };

// Without this attribute the style sheet shows the button that works without a script.
document.documentElement.dataset.validation = "begun";
setTimeout(() => {
	if (document.documentElement.dataset.validation)
		document.documentElement.dataset.validation = "waiting";
}, BLANK_MS);

/** Resolves at once, or when a prerendered page is opened, because prerendering must not use up the token. */
function afterPrerendering(): Promise<void> {
	const { prerendering } = document as Document & { prerendering?: boolean };
	if (!prerendering) return Promise.resolve();
	return new Promise((done) =>
		document.addEventListener("prerenderingchange", () => done(), {
			once: true,
		}),
	);
}

function validate(): Promise<Arrival | RetryReason> {
	// A session would be lost, and the token used up.
	if (!navigator.cookieEnabled)
		return Promise.resolve({ to: COOKIES_BLOCKED, step: null });
	return new Promise((resolve) => {
		const request = new XMLHttpRequest();
		request.open("POST", "/api/validate_token");
		request.setRequestHeader("content-type", "application/json");
		request.setRequestHeader("accept", "text/html");
		// The browser parses the document itself: its scripts never run, and Trusted Types do not apply.
		request.responseType = "document";
		request.onloadend = () => resolve(arrivalOf(request));
		// A bank's refusal can be in the fragment, as OAuth has it.
		const query = location.search + location.hash.replace("#", "&");
		const input: ValidateTokenInput = { query };
		request.send(JSON.stringify({ input }));
	});
}
