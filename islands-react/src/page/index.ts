/**
 * The page's module, with one instance per document. Every document but the entry loads it in its
 * head, before Leptos' script. The entry imports it when it shows a step.
 */
import { fail } from "./failure";
import { hydrateStep, type WasmFiles } from "./hydrate";
import { watchReturn } from "./navigate";
import { createPage, type Page } from "./page";
import { pageSession, startStep } from "./step";

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
if (window.vinculaEntry === undefined) startStep(page);

/** Starts the step that replaces the entry. `files` hydrate its islands, if it has any. */
export function startAt(files: WasmFiles | null): void {
	startStep(page);
	if (files) hydrateStep(files).catch((error) => fail("wasm", error));
}

/** The functions that the wasm module calls (`src/islands/page.rs`). */
function forWasm(page: Page) {
	const { client, items, replace, hydrated, restoreServed } = page;
	return {
		hydrated,
		restoreServed,
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
		showToast: () => client.handleFailure({ kind: "no_reply" }),
		isStopped: () => client.stopped.aborted,
		/** Submits the items of the page's session once, in the background. */
		async submitItems(): Promise<void> {
			const session = pageSession();
			if (session !== undefined) await items.submit(session);
		},
	};
}
