/**
 * The page's module, with one instance per document. Every document but the entry loads it in its head,
 * before Leptos' script. The entry imports it once a step has replaced it.
 */
import { fail, whenIdle } from "./failure";
import { watchReturn } from "./navigate";
import { createPage, type Page, pageSession, startPage } from "./page";

/** Addresses of the wasm module and its glue. */
export type WasmFiles = { glue: string; wasm: string };

/** The glue's exports: wasm-bindgen's initialiser, Leptos' start, and one function per island type. */
type Glue = {
	default(options: { module_or_path: string }): Promise<unknown>;
	hydrate(): void;
} & Record<string, (island: Element) => void>;

/** The exports of a React screen's module. */
type ReactScreen = { mount(host: HTMLElement, page: Page): void };

declare global {
	interface Window {
		vincula?: ReturnType<typeof forWasm>;
	}
}

const page = createPage();

window.vincula = forWasm(page);

watchReturn();
startPage(page);

/** The functions that the wasm module calls (`src/islands/page_module.rs`). */
function forWasm(page: Page) {
	const { client, items, replace, hydrated, restoreServed } = page;
	return {
		restoreServed,
		/**
		 * After the task that hydrates them, the islands work if nothing has failed. A React screen reports
		 * that itself.
		 */
		beginHydration(): void {
			const { dataset } = document.body;
			// Files that arrive late are still used.
			delete dataset.islands;
			// Idle, because browsers report a rejection some tasks later.
			whenIdle(() => {
				const isReact = document.querySelector("[data-react]") !== null;
				if (dataset.islands === undefined && !isReact) hydrated();
			});
		},
		/** Imports a React screen, and mounts it in its host (`src/islands/bridge.rs`). */
		async mount(url: string, host: HTMLElement): Promise<void> {
			try {
				const screen = (await import(url)) as ReactScreen;
				screen.mount(host, page);
			} catch (error) {
				fail(host.dataset.react ?? "", error);
			}
		},
		/** Handles a failure, given as JSON. Resolves once the page can be used. */
		handleFailure: (failure: string) =>
			client.handleFailure(JSON.parse(failure)),
		replace,
		showToast: () => client.handleFailure("no_reply"),
		isStopped: () => client.stopped.aborted,
		/** Submits the items of the page's session once, in the background. */
		async submitItems(): Promise<void> {
			const session = pageSession();
			if (session !== undefined) await items.submit(session);
		},
	};
}

/**
 * Hydrates the islands of the step that has replaced the entry, as Leptos' own script does in a document
 * that the browser loads (`src/hydration/island_script.js` in the crate `leptos`): in a document that a
 * request has parsed, no script runs. Islands with children, for which Leptos' script walks the tree, do
 * not occur.
 */
export async function hydrateStep({ glue, wasm }: WasmFiles): Promise<void> {
	try {
		const module: Glue = await import(glue);
		await module.default({ module_or_path: wasm });
		module.hydrate();
		for (const island of document.querySelectorAll<HTMLElement>(
			"leptos-island",
		)) {
			module[island.dataset.component ?? ""]?.(island);
		}
	} catch (error) {
		fail("wasm", error);
	}
}
