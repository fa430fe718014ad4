/** The services of one page, used by React's islands, the wasm islands and the page itself. */
import { type Client, createClient } from "./client";
import { type Islands, islands } from "./islands";
import { createItems, type Items } from "./items";
import { replace } from "./navigate";
import { createStopping } from "./other-tab";
import { createToast, type Toast } from "./toast";

export type Page = {
	client: Client;
	items: Items;
	toast: Toast;
	islands: Islands;
	replace: typeof replace;
};

export function createPage(): Page {
	const toast = createToast();
	const client = createClient(createStopping(), toast);
	return { client, items: createItems(client), toast, islands, replace };
}
