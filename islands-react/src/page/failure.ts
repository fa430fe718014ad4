/**
 * The card for a part of the page that cannot work: its files do not load, or it has crashed. The server
 * inlines `watchFailures` in documents with islands, and the entry has it for the step that replaces it, so
 * that it also covers the page's own module.
 *
 * `body[data-islands]` is "failed" if the islands do not work, and "alive" once they do.
 */
import { focusTitle } from "./announce";

/** How long the islands may take to work. Files that arrive later are still used. */
const LATE_AFTER_MS = 15_000;

/**
 * Shows the card if one of our scripts does not load, the wasm module does not start or crashes, or the
 * islands do not work after a while. Others put scripts into the page as well: extensions, in-app browsers,
 * proxies. Their failures are not ours.
 */
export function watchFailures(): void {
	addEventListener(
		"error",
		({ target, error }) => {
			if (isTrap(error)) fail("wasm", error);
			else if (!isAlive() && target instanceof HTMLScriptElement) {
				if (namesOurFile(target.src))
					fail("page", new Error("a script does not load"));
			}
		},
		// Captured, because the load errors of scripts do not bubble.
		{ capture: true },
	);
	addEventListener("unhandledrejection", (event) => {
		const { reason } = event;
		// Leptos' script does not catch its rejections.
		if (!isTrap(reason) && (isAlive() || !isOurs(reason))) return;
		event.preventDefault();
		fail("wasm", reason);
	});
	setTimeout(() => {
		if (!isAlive() && !isStandalone())
			fail("page", new Error("no island works yet"));
	}, LATE_AFTER_MS);
}

/**
 * Reports an island that does not work, and shows the card. No-op until it works: the card that is
 * shown was reported. A browser older than the baseline shows a sentence already (`head.rs`), and a reload
 * could not help.
 */
export function fail(island: string, error: unknown): void {
	const { dataset } = document.body;
	if (dataset.islands === "failed") return;
	dataset.islands = "failed";
	if (document.documentElement.dataset.outdated !== undefined) return;
	reportIsland(island, error);
	if (!isStandalone()) showCard();
}

/** Logs an island's error on the server, which redacts and truncates the reason. */
export function reportIsland(island: string, error: unknown): void {
	const reason =
		error instanceof Error ? `${error.name}: ${error.message}` : "unknown";
	fetch("/api/report_island", {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ input: { island, reason } }),
		keepalive: true,
	}).catch(() => undefined);
}

/** Reports that the islands work. The files of the next step are then prefetched. */
export function hydrated(): void {
	document.body.dataset.islands = "alive";
	const card = document.getElementById("islands-failed");
	if (card) card.hidden = true;
	if (card?.contains(document.activeElement)) focusTitle();
	whenIdle(prefetch);
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

/**
 * Whether the wasm module has crashed: a panic ends in a trap, in whichever task, timer or handler it
 * happens. The task never continues, so that a list is no longer polled and a busy button stays busy.
 */
function isTrap(error: unknown): boolean {
	return isOurs(error) && error.name === "RuntimeError";
}

/** Whether an error was thrown in our modules, or names one that does not load. */
function isOurs(error: unknown): error is Error {
	return (
		error instanceof Error && namesOurFile(`${error.message} ${error.stack}`)
	);
}

function namesOurFile(text: string): boolean {
	return ["/pkg/", "/islands/"].some((folder) =>
		text.includes(location.origin + folder),
	);
}

function isAlive(): boolean {
	return document.body.dataset.islands === "alive";
}

/** Whether the page has a form that works without a script. */
function isStandalone(): boolean {
	return document.querySelector("[data-standalone]") !== null;
}

/**
 * Shows the card, so that screen readers read it. If the focus is on a control, the card becomes an
 * alert, which is announced. Otherwise (on a title, nowhere or in hidden content) its text takes the focus.
 */
function showCard(): void {
	const card = document.getElementById("islands-failed");
	if (!card?.hidden) return;
	card.hidden = false;
	const focused = document.activeElement;
	if (
		focused === null ||
		focused.matches('body, [tabindex="-1"]') ||
		focused.getClientRects().length === 0
	) {
		card
			.querySelector<HTMLElement>('[tabindex="-1"]')
			?.focus({ preventScroll: true });
		return;
	}
	card.setAttribute("role", "alert");
	card.replaceWith(card.cloneNode(true));
}
