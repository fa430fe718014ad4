/**
 * The card for a part of the page that cannot work: its files do not load, or it has crashed. The server
 * inlines this in documents with islands (`missing.ts`), and the entry has it for the step that replaces
 * it, so that it also covers the page's own module.
 */

/** How long the islands may take to work. Files that arrive later are still used. */
const MISSING_AFTER_MS = 15_000;

/** Shows the card if a script or the wasm module does not load, stalls or crashes. */
export function watchFailures(): void {
	addEventListener(
		"error",
		({ target, error }) => {
			if (target instanceof HTMLScriptElement)
				fail("page", new Error("a script does not load"));
			else if (isTrap(error)) fail("wasm", error);
		},
		// Captured, because the load errors of scripts do not bubble.
		{ capture: true },
	);
	addEventListener("unhandledrejection", (event) => {
		const { reason } = event;
		// Leptos' script does not catch its rejections. Before hydration there are no others.
		if (!isTrap(reason) && isAlive()) return;
		event.preventDefault();
		fail("wasm", reason);
	});
	setTimeout(() => {
		if (!isAlive()) showFailure();
	}, MISSING_AFTER_MS);
}

/**
 * Shows the card, and reports the first island that has failed. The page's module has a copy of this
 * module, so the body remembers the report.
 */
export function fail(island: string, error: unknown): void {
	const { dataset } = document.body;
	if (dataset.reported !== undefined) return;
	dataset.reported = "";
	showFailure();
	reportIsland(island, error);
}

/** Logs on the server that an island failed. The server redacts and truncates the reason. */
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

/**
 * Whether the wasm module has crashed: a panic ends in a trap, in whichever task, timer or handler it
 * happens. The task never continues, so that a list is no longer polled and a busy button stays busy.
 */
function isTrap(error: unknown): boolean {
	return error instanceof WebAssembly.RuntimeError;
}

function isAlive(): boolean {
	return document.body.dataset.islands === "alive";
}

/**
 * Shows the card, so that screen readers read it, unless the page has a form that works without a
 * script. If the focus is on a control, the card becomes an alert, which is announced. Otherwise (on a
 * title, nowhere or in hidden content) its text takes the focus.
 */
export function showFailure(): void {
	const card = document.getElementById("islands-failed");
	if (!card?.hidden || document.querySelector("[data-standalone]")) return;
	document.body.dataset.islands = "failed";
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
