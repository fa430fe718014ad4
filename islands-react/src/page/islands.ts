/**
 * The islands of the page: what the person sees of their hydration, which Leptos' own script does. `body[data-islands]` says
 * "waiting" until every island works, then "alive", or "failed" if the wasm module did not load. Once they work, the files of the next step are
 * prefetched.
 */

import type { Client } from "./client";

/**
 * How long the wasm module may take to load before the page says that a part of it is missing, in milliseconds. One that comes
 * later is used all the same.
 */
export const STALLED_AFTER_MS = 15_000;

export type Islands = {
	/** Called by each island once it works. */
	hydrated(): void;
	/**
	 * Called for an island of React that could not be mounted in `host`. A card takes its place, unless what the server sent
	 * works by itself; the rest of the page works on.
	 */
	islandFailed(host: HTMLElement, error: unknown): void;
	/** Waits for the islands of the step that the document shows. Called once, before the first of them is hydrated. */
	watchIslands(): void;
	/** Called if the wasm module did not load. */
	wasmFailed(error: unknown): void;
};

export function createIslands({
	reportIsland,
}: Pick<Client, "reportIsland">): Islands {
	let waitingFor = 0;
	let stopWaiting = (): void => {};
	let repeatPress = (): void => {};

	function watchIslands(): void {
		waitingFor = document.querySelectorAll("leptos-island").length;
		if (waitingFor === 0) return;
		document.body.dataset.islands = "waiting";
		repeatPress = rememberPress();
		const stalled = setTimeout(showStalled, STALLED_AFTER_MS);
		// Leptos' script leaves its errors to the window, and until the islands work nothing else leaves any there.
		const rejected = (event: PromiseRejectionEvent): void => {
			event.preventDefault();
			wasmFailed(event.reason);
		};
		addEventListener("unhandledrejection", rejected);
		stopWaiting = () => {
			clearTimeout(stalled);
			removeEventListener("unhandledrejection", rejected);
		};
	}

	function hydrated(): void {
		waitingFor -= 1;
		if (waitingFor > 0) return;
		stopWaiting();
		showSuccess();
		repeatPress();
		whenIdle(prefetch);
	}

	function wasmFailed(error: unknown): void {
		stopWaiting();
		showFailure();
		reportIsland("wasm", error);
	}

	function islandFailed(host: HTMLElement, error: unknown): void {
		stopWaiting();
		reportIsland(host.dataset.react ?? "", error);
		// A form that works by itself is better than a card in its place.
		if (host.querySelector("[data-standalone]") !== null) return;
		host.hidden = true;
		showCard();
	}

	return { hydrated, islandFailed, watchIslands, wasmFailed };
}

/** A form that works by itself is better than a card in its place. */
export function showStalled(): void {
	if (document.querySelector("[data-standalone]") === null) showFailure();
}

function showFailure(): void {
	const { dataset } = document.body;
	if (dataset.islands === "failed") return;
	dataset.islands = "failed";
	showCard();
}

function showSuccess(): void {
	document.body.dataset.islands = "alive";
	const card = document.getElementById("islands-failed");
	if (card) card.hidden = true;
}

/**
 * Shows the card. Its text takes the focus of a title, and one that is nowhere or in what is hidden, so that screen readers
 * read it. Where the person operates something, it is an alert, which is announced when it comes into the page.
 */
function showCard(): void {
	const card = document.getElementById("islands-failed");
	if (!card?.hidden) return;
	card.hidden = false;
	const focused = document.activeElement;
	if (
		focused === null ||
		focused.matches('body, [tabindex="-1"], [hidden] *')
	) {
		card
			.querySelector<HTMLElement>('[tabindex="-1"]')
			?.focus({ preventScroll: true });
		return;
	}
	card.setAttribute("role", "alert");
	card.replaceWith(card.cloneNode(true));
}

/**
 * Replays the last click on an island's button that happened before hydration. A submit button works without hydration: the
 * browser posts its form.
 */
function rememberPress(): () => void {
	let pressed: HTMLElement | null = null;
	const remember = ({ target }: Event): void => {
		if (!(target instanceof Element)) return;
		pressed =
			target.closest<HTMLElement>(
				'leptos-island button:not([type="submit"])',
			) ?? pressed;
	};
	addEventListener("click", remember);
	return () => {
		removeEventListener("click", remember);
		pressed?.click();
	};
}

export function whenIdle(task: () => void): void {
	// Safari has no idle callbacks.
	if (typeof requestIdleCallback === "function")
		requestIdleCallback(task, { timeout: 100 });
	else setTimeout(task);
}

/** Fetches the files of the next step with low priority, unless the person saves data. */
function prefetch(): void {
	const { next } = document.body.dataset;
	const { connection } = navigator as Navigator & {
		connection?: { saveData: boolean };
	};
	if (next === undefined || connection?.saveData) return;
	for (const href of next.split(" ")) {
		// Firefox applies default-src to <link rel=prefetch>, and Safari does not support it. A response is cached once it
		// has been read to its end.
		fetch(href, { priority: "low" })
			.then((file) => file.blob())
			.catch(() => undefined);
	}
}
