/**
 * Shows the state of the islands, which Leptos' own script hydrates, or `hydrate.ts` if the page has
 * replaced the entry. `body[data-islands]` is "waiting" until every island works, then "alive", or
 * "failed" if the wasm module did not load or has crashed. Once all work, the files of the next step
 * are prefetched.
 */

import type { Client } from "./client";

/**
 * How long the wasm module may take to load before the page shows that a part is missing. A module
 * that arrives later is still used.
 */
export const MISSING_AFTER_MS = 15_000;

export type Islands = {
	/** Each island calls this once it works. */
	hydrated(): void;
	/**
	 * Reports a React island that could not be mounted, or has crashed. `host` has its served HTML. A
	 * card replaces all of it but the heading, unless it has a form that works without a script. Other
	 * islands are not affected.
	 */
	islandFailed(host: HTMLElement, error: unknown): void;
	/** Starts waiting for the document's islands. Called once, before the first one is hydrated. */
	watchIslands(): void;
	/** Reports that the wasm module did not load or has crashed, and shows the card. */
	wasmFailed(error: unknown): void;
};

export function createIslands({
	reportIsland,
}: Pick<Client, "reportIsland">): Islands {
	let waitingFor = 0;
	let replayClick = (): void => {};
	/** Aborted once all islands work, or one has failed. */
	const waiting = new AbortController();
	/** Aborted once the wasm module has failed. */
	const running = new AbortController();

	function watchIslands(): void {
		waitingFor = document.querySelectorAll("leptos-island").length;
		if (waitingFor === 0) return;
		document.body.dataset.islands = "waiting";
		replayClick = recordClick(waiting.signal);
		const missing = setTimeout(showFailure, MISSING_AFTER_MS);
		waiting.signal.addEventListener("abort", () => clearTimeout(missing));
		const { signal } = running;
		addEventListener(
			"unhandledrejection",
			(event) => {
				const { reason } = event;
				if (isTrap(reason)) {
					wasmFailed(reason);
				} else if (!waiting.signal.aborted) {
					// Leptos' script does not catch its rejections. Before hydration there are no others.
					event.preventDefault();
					wasmFailed(reason);
				}
			},
			{ signal },
		);
		addEventListener(
			"error",
			({ error }) => {
				if (isTrap(error)) wasmFailed(error);
			},
			{ signal },
		);
	}

	function hydrated(): void {
		waitingFor -= 1;
		if (waitingFor > 0) return;
		waiting.abort();
		showSuccess();
		replayClick();
		whenIdle(prefetch);
	}

	function wasmFailed(error: unknown): void {
		waiting.abort();
		running.abort();
		showFailure();
		reportIsland("wasm", error);
	}

	function islandFailed(host: HTMLElement, error: unknown): void {
		waiting.abort();
		reportIsland(host.dataset.react ?? "", error);
		if (host.querySelector("[data-standalone]") !== null) return;
		// The page keeps its heading, above the card.
		const heading = host.querySelector("h1");
		if (heading !== null) {
			document.getElementById("islands-failed")?.before(heading);
		}
		host.hidden = true;
		showCard();
	}

	return { hydrated, islandFailed, watchIslands, wasmFailed };
}

/**
 * Whether the wasm module has crashed: a panic ends in a trap, in whichever task, timer or handler it
 * happens. The task never continues, so that a list is no longer polled and a busy button stays busy.
 */
function isTrap(error: unknown): boolean {
	return error instanceof WebAssembly.RuntimeError;
}

/** Shows the card, unless the page has a form that works without its modules. */
export function showFailure(): void {
	if (document.querySelector("[data-standalone]") !== null) return;
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
 * Shows the card, so that screen readers read it. If the focus is on a control, the card becomes an
 * alert, which is announced. Otherwise (on a title, nowhere or in hidden content) its text takes the
 * focus.
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
 * Records the last click on an island's button until `signal` is aborted; the returned function replays
 * it. Submit buttons are left out, because the browser posts their forms without hydration.
 */
function recordClick(signal: AbortSignal): () => void {
	let clicked: HTMLElement | null = null;
	const record = ({ target }: Event): void => {
		if (!(target instanceof Element)) return;
		const button = target.closest<HTMLElement>(
			'leptos-island button:not([type="submit"])',
		);
		clicked = button ?? clicked;
	};
	addEventListener("click", record, { signal });
	return () => clicked?.click();
}

/** Runs a task when the browser is idle, or soon if it has no idle callbacks. */
export function whenIdle(task: () => void): void {
	// Safari has no idle callbacks.
	if (typeof requestIdleCallback === "function")
		requestIdleCallback(task, { timeout: 100 });
	else setTimeout(task);
}

/** Fetches the files of the next step with low priority, unless data saving is on. */
function prefetch(): void {
	const { next } = document.body.dataset;
	const { connection } = navigator as Navigator & {
		connection?: { saveData: boolean };
	};
	if (next === undefined || connection?.saveData) return;
	for (const href of next.split(" ")) {
		// Not <link rel=prefetch>: Firefox applies default-src to it, and Safari does not support it. The
		// body is read because browsers cache only complete responses.
		fetch(href, { priority: "low" })
			.then((file) => file.blob())
			.catch(() => undefined);
	}
}
