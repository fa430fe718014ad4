/**
 * What the islands tell the page. `body[data-islands]` is "alive" once they work, or "failed" if they do
 * not (`failure.ts`).
 */
import { fail, reportIsland } from "./failure";
import { focusTitle } from "./focus-title";
import { restoreServed } from "./served";

export type Islands = {
	/** The document's island calls this once it works. The files of the next step are then prefetched. */
	hydrated(): void;
	/** Reports a React island that could not be mounted, or has crashed. `host` has its served HTML. */
	islandFailed(host: HTMLElement, error: unknown): void;
	/** Logs an error of an island that works nevertheless. */
	reportIsland(island: string, error: unknown): void;
	/** Restores the islands' nodes, or those inside `root`, as the server sent them (`served.ts`). */
	restoreServed(root?: Node): void;
};

export const islands: Islands = {
	hydrated,
	islandFailed,
	reportIsland,
	restoreServed,
};

function hydrated(): void {
	document.body.dataset.islands = "alive";
	const card = document.getElementById("islands-failed");
	if (card) card.hidden = true;
	if (card?.contains(document.activeElement)) focusTitle();
	whenIdle(prefetch);
}

function islandFailed(host: HTMLElement, error: unknown): void {
	fail(host.dataset.react ?? "", error);
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
