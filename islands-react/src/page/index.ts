/**
 * The page's module, one instance for each document: every document but the entry loads it in its head, before Leptos' script,
 * and the entry imports it once it shows a step. The wasm module imports what it exports.
 */
import { hydrateStep, type WasmFiles } from "./hydrate";
import { watchNativeForms } from "./native-form";
import { removeMark, watchReturn } from "./navigate";
import { createPage } from "./page";
import { startStep } from "./step";

const page = createPage();

export const {
	post,
	handleFailure,
	replace,
	toast,
	toastQuietly,
	undelivered,
	deliver,
	forget,
	importModule,
	reportIsland,
	hydrated,
	islandFailed,
} = page;

removeMark();
watchReturn();
watchNativeForms();
if (window.vinculaEntry === undefined) startStep(page);

/** Starts the step at `path`, which the entry shows in its own place. `files`: what hydrates it, if it has islands. */
export function startAt(path: string, files: WasmFiles | null): void {
	page.arrivedAt(path);
	startStep(page);
	if (files) hydrateStep(files).catch(page.wasmFailed);
}
