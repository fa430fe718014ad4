/** One page: its services, for React's islands, the wasm islands and itself, and how it starts. */
import { operateCopying } from "../problem/copy-code";
import { focusTitle } from "./announce";
import { type Client, createClient } from "./client";
import { fail, hydrated, reportIsland } from "./failure";
import { createItems, type Items } from "./items";
import { replace } from "./navigate";
import { restoreServed } from "./served";
import { createStopping } from "./stop";
import { createToast, type Toast } from "./toast";

export type Page = {
	client: Client;
	items: Items;
	toast: Toast;
	replace: typeof replace;
	hydrated: typeof hydrated;
	fail: typeof fail;
	reportIsland: typeof reportIsland;
	restoreServed: typeof restoreServed;
};

export function createPage(): Page {
	const toast = createToast();
	const client = createClient(createStopping(), toast);
	const items = createItems(client);
	return {
		client,
		items,
		toast,
		replace,
		hydrated,
		fail,
		reportIsland,
		restoreServed,
	};
}

/** Starts the behaviour of a document, or of the step that has replaced the entry. */
export function startPage({ client, items, toast }: Page): void {
	operateCopying();
	if (document.body.dataset.noResponse !== undefined) toast.show();
	focusTitle();
	const session = pageSession();
	if (session !== undefined) {
		// In parallel with the island's files, which take longer.
		if (document.body.dataset.page === "bank-form")
			client.postEarly("list_banks", { session });
		items.watch(session);
	}
}

/** Returns the id of the document's session, or undefined if it has none. */
export function pageSession(): string | undefined {
	const context = document.getElementById("vincula-context")?.textContent;
	return JSON.parse(context ?? "{}").session;
}
