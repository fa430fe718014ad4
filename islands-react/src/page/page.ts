/** The services of one page, used by React's islands, the wasm islands and the page itself. */
import { type Client, createClient } from "./client";
import { type Islands, islands } from "./islands";
import { createItems, type Items } from "./items";
import { replace } from "./navigate";
import { createStopping } from "./other-tab";
import { createToasts, type Toasts } from "./toast";

export type Page = {
	client: Client;
	items: Items;
	toasts: Toasts;
	islands: Islands;
	replace: typeof replace;
};

export function createPage(): Page {
	const toasts = createToasts();
	const client = createClient(createStopping(), toasts);
	return { client, items: createItems(client), toasts, islands, replace };
}
