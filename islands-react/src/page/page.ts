/** The services of one page, used by React's islands, the wasm islands and the page itself. */
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
