/** The services of one page, used by React's islands, the wasm islands and the page itself. */
import { type Client, createClient } from "./client";
import { createIslands, type Islands } from "./islands";
import { createItems, type Items } from "./items";
import { keep, kept } from "./kept";
import { createLeaving, type Leaving } from "./navigate";
import { createStopping, type Stopping } from "./other-tab";
import { createToasts, type Toasts } from "./toast";

export type Page = Client &
	Islands &
	Items &
	Leaving &
	Toasts &
	Pick<Stopping, "stopped"> & {
		keep: typeof keep;
		kept: typeof kept;
		/** Imports the module of a React island, which is mounted with this page. */
		importModule(url: string): Promise<{ mount(host: HTMLElement): void }>;
	};

/** The exports of a React island's module. */
type IslandModule = { mount(host: HTMLElement, page: Page): void };

export function createPage(): Page {
	const toasts = createToasts();
	const { toast } = toasts;
	const leaving = createLeaving(toast);
	const stopping = createStopping();
	const client = createClient({ ...leaving, ...stopping, ...toasts });
	const { stopped } = stopping;
	const parts = {
		...client,
		...createIslands(client),
		...createItems(client, leaving),
		...leaving,
		...toasts,
	};
	const page: Page = { ...parts, stopped, keep, kept, importModule };

	async function importModule(
		url: string,
	): Promise<{ mount(host: HTMLElement): void }> {
		const module = (await import(url)) as IslandModule;
		return { mount: (host) => module.mount(host, page) };
	}

	return page;
}
