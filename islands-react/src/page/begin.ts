/**
 * The first script of the entry: it sends the validation of the link before the browser parses anything else. A POST, so
 * that a link preview never uses up a token. For a moment the entry shows nothing, because rendering the spinner would
 * delay a step that is about to arrive.
 */

import { type Arrival, arrivalOf, type NoAnswer } from "./arrival";

const BLANK_MS = 500;

declare global {
	interface Window {
		/** On the entry only. */
		vinculaEntry?: {
			validate: () => Promise<Arrival | NoAnswer>;
			first: Promise<Arrival | NoAnswer>;
		};
	}
}

const first = afterPrerendering().then(validate);
window.vinculaEntry = { validate, first };

// Without this the style sheet shows the button that posts without a script.
document.documentElement.dataset.validation = "begun";
setTimeout(() => {
	if (document.documentElement.dataset.validation)
		document.documentElement.dataset.validation = "waiting";
}, BLANK_MS);

/** A page that the browser prerenders must not use up the token before somebody sees it. */
function afterPrerendering(): Promise<void> {
	const { prerendering } = document as Document & { prerendering?: boolean };
	if (!prerendering) return Promise.resolve();
	return new Promise((done) =>
		document.addEventListener("prerenderingchange", () => done(), {
			once: true,
		}),
	);
}

function validate(): Promise<Arrival | NoAnswer> {
	return new Promise((resolve) => {
		const request = new XMLHttpRequest();
		request.open("POST", "/api/validate_token");
		request.setRequestHeader("content-type", "application/json");
		request.setRequestHeader(
			"accept",
			canShowStep() ? "text/html" : "application/json",
		);
		// The browser itself parses the document. Its scripts never run, and Trusted Types have no say in it.
		request.responseType = "document";
		request.onloadend = () => resolve(arrivalOf(request));
		request.send(JSON.stringify({ input: { query: location.search } }));
	});
}

/**
 * Whether the session's cookie will be there for the step's actions. If the browser may have dropped it, a navigation
 * lets the server find out and say so (`routes::VALIDATED`).
 */
function canShowStep(): boolean {
	return navigator.cookieEnabled && window.top === window;
}
