/**
 * The page's module, with one instance per document. Every document but the entry loads it in its
 * head, before Leptos' script. The entry imports it when it shows a step.
 */
import type { Answer } from "./client";
import { fail } from "./failure";
import { hydrateStep, type WasmFiles } from "./hydrate";
import { guardNativeForms } from "./native-form";
import { watchReturn } from "./navigate";
import { createPage, type Page } from "./page";
import { startStep } from "./step";

/** What the wasm module calls (`src/islands/page.rs`). */
type ForWasm = Omit<Page, "post"> & {
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
	post: (path, body, keepalive, timeoutMs) =>
		page.postTo(path, body, { keepalive, timeoutMs }),
};

watchReturn();
guardNativeForms();
if (window.vinculaEntry === undefined) startStep(page);

/** Starts the step that replaces the entry. `files` hydrate its islands, if it has any. */
export function startAt(files: WasmFiles | null): void {
	page.arrived();
	startStep(page);
	if (files) hydrateStep(files).catch((error) => fail("wasm", error));
}
