/** The services of one page, used by React's islands, the wasm islands and the page itself. */
import { type Client, createClient } from "./client";
import { type Islands, islands } from "./islands";
import { createItems, type Items } from "./items";
import { keep, kept } from "./kept";
import { replace } from "./navigate";
import { createStopping, type Stopping } from "./other-tab";
import { createToasts, type Toasts } from "./toast";

export type Page = Client &
	Islands &
	Items &
	Toasts &
	Pick<Stopping, "stopped"> & {
		replace: typeof replace;
		keep: typeof keep;
		kept: typeof kept;
		/** Imports the module of a React island, which is mounted with this page. */
		importModule(url: string): Promise<{ mount(host: HTMLElement): void }>;
	};

/** The exports of a React island's module. */
type IslandModule = { mount(host: HTMLElement, page: Page): void };

export function createPage(): Page {
	const toasts = createToasts();
	const stopping = createStopping();
	const client = createClient({ ...stopping, ...toasts });
	const { stopped } = stopping;
	const parts = {
		...client,
		...islands,
		...createItems(client),
		...toasts,
	};
	const page: Page = { ...parts, stopped, replace, keep, kept, importModule };

	async function importModule(
		url: string,
	): Promise<{ mount(host: HTMLElement): void }> {
		const module = (await import(url)) as IslandModule;
		return { mount: (host) => module.mount(host, page) };
	}

	return page;
}
