/**
 * The page's module, with one instance per document. Every document but the entry loads it in its
 * head, before Leptos' script. The entry imports it when it shows a step.
 */
import type { Answer } from "./client";
import { hydrateStep, type WasmFiles } from "./hydrate";
import { watchNativeForms } from "./native-form";
import { removeMark, watchReturn } from "./navigate";
import { createPage, type Page } from "./page";
import { startStep } from "./step";

/** What the wasm module calls (`src/islands/page.rs`). */
type ForWasm = Omit<Page, "replace" | "post"> & {
	/** `Leaving.replace` after a successful action. */
	replace(to: string): void;
	/** `Client.postTo` with positional options. */
	post(
		path: string,
		body: unknown,
		keepalive: boolean,
		timeoutMs: number,
	): Promise<Answer<unknown>>;
};

declare global {
	interface Window {
		vincula?: ForWasm;
	}
}

const page = createPage();

window.vincula = {
	...page,
	replace: (to) => page.replace(to, "done"),
	post: (path, body, keepalive, timeoutMs) =>
		page.postTo(path, body, { keepalive, timeoutMs }),
};

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
