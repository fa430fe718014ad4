/**
 * The page's module, with one instance per document. Every document but the entry loads it in its
 * head, before Leptos' script. The entry imports it when it shows a step. The wasm module imports its
 * exports (`crates/islands/src/page.rs`).
 */
import type { Answer } from "./client";
import { hydrateStep, type WasmFiles } from "./hydrate";
import { watchNativeForms } from "./native-form";
import { removeMark, watchReturn } from "./navigate";
import { createPage } from "./page";
import { startStep } from "./step";

const page = createPage();

export const {
	handleFailure,
	continueLeaving,
	toast,
	toastQuietly,
	keptLinkings,
	submitItems,
	forget,
	importModule,
	reportIsland,
	hydrated,
	islandFailed,
} = page;

/** `Leaving.replace` after a successful action, for wasm. */
export function replace(to: string): void {
	page.replace(to, "done");
}

/** `Client.postTo` with positional options, for wasm. */
export function post(
	path: string,
	body: unknown,
	keepalive: boolean,
	timeoutMs: number,
): Promise<Answer<unknown>> {
	return page.postTo(path, body, { keepalive, timeoutMs });
}

removeMark();
watchReturn();
watchNativeForms();
if (window.vinculaEntry === undefined) startStep(page);

/** Starts the step at `path`, which replaces the entry. `files` hydrate its islands, if it has any. */
export function startAt(path: string, files: WasmFiles | null): void {
	page.arrivedAt(path);
	startStep(page);
	if (files) hydrateStep(files).catch(page.wasmFailed);
}
