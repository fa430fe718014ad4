/**
 * The entry (`/`). The server inlines this script at the beginning of its head: it requests the validation
 * of the link before the browser parses anything else, and then shows the page that the link leads to.
 * Until then it needs no other file. The request is a POST, so that link previews never use up a token.
 */
import { COOKIES_BLOCKED } from "../generated/routes";
import type { ValidateTokenInput } from "../generated/types";
import { focusTitle } from "./announce";
import { isOwnPath, replace } from "./navigate";
import { showStep } from "./show-step";
import { createToast } from "./toast";

/** Where the link leads, and the document of that page if the entry can show it in its own place. */
type Arrival = { to: string; step: Document | null };

/** The delay of the step's font, so that it does not compete with the validation. */
const FONT_AFTER_MS = 100;

/** How long nothing is shown, because a step may be about to arrive. */
const WAITING_AFTER_MS = 500;

const { font } = document.currentScript?.dataset ?? {};
const first = afterPrerendering().then(validate);
const toast = createToast();

// Without this attribute the style sheet shows the button that works without a script.
document.documentElement.dataset.validation = "begun";
setTimeout(preloadFont, FONT_AFTER_MS);
setTimeout(() => {
	const { dataset } = document.documentElement;
	if (dataset.validation === "begun") dataset.validation = "slow";
}, WAITING_AFTER_MS);
if (document.readyState === "loading")
	document.addEventListener("DOMContentLoaded", start, { once: true });
else start();

function start(): void {
	const retry = retryButton();
	retry?.addEventListener("click", () => {
		if (retry.getAttribute("aria-busy") === "true") return;
		retry.setAttribute("aria-busy", "true");
		void follow(validate());
	});
	void follow(first);
}

/** Shows the page where a validation leads, or that it has failed or that the navigation has stalled. */
async function follow(validation: Promise<Arrival | null>): Promise<void> {
	const arrival = await validation;
	if (arrival !== null) {
		const { to, step } = arrival;
		// A proxy may have emptied the document, or changed its address.
		if (step?.querySelector("main") && isOwnPath(to)) return showStep(step, to);
		// An error screen, or a page that the entry cannot show.
		await replace(to);
	}
	showFailure();
	retryButton()?.setAttribute("aria-busy", "false");
}

function showFailure(): void {
	const opening = document.getElementById("entry-opening");
	const failed = document.getElementById("entry-failed");
	if (!opening || !failed) return;
	document.documentElement.dataset.validation = "failed";
	document.title = failed.dataset.title ?? "";
	opening.hidden = true;
	failed.hidden = false;
	// So that screen readers read what failed and why. After a retry, its button has the focus.
	focusTitle();
	toast.show();
}

function retryButton(): Element | null {
	return document.querySelector("#entry-failed button");
}

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

/** Validates the link. Resolves with null if the validation can be repeated. */
function validate(): Promise<Arrival | null> {
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
		request.onloadend = () => {
			const to = request.getResponseHeader("content-location");
			const step = request.status === 200 ? request.responseXML : null;
			resolve(to === null ? null : { to, step });
		};
		// A bank's error can be in the fragment, as OAuth has it.
		const query = location.search + location.hash.replace("#", "&");
		const input: ValidateTokenInput = { query };
		request.send(JSON.stringify({ input }));
	});
}

function preloadFont(): void {
	const link = document.createElement("link");
	Object.assign(link, {
		rel: "preload",
		as: "font",
		type: "font/woff2",
		crossOrigin: "anonymous",
		href: font,
	});
	document.head.append(link);
}
