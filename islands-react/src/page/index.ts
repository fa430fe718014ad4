/**
 * The page's module, with one instance per document. Every document but the entry loads it in its
 * head, before Leptos' script. The entry imports it when it shows a step.
 */
import type { Failure } from "../generated/failure";
import { fail } from "./failure";
import { hydrateStep, type WasmFiles } from "./hydrate";
import { guardNativeForms } from "./native-form";
import { watchReturn } from "./navigate";
import { createPage, type Page } from "./page";
import { startStep } from "./step";

/** What the wasm module calls (`src/islands/page.rs`). */
type ForWasm = Omit<Page, "handleFailure"> & {
	/** `Client.handleFailure` of a failure as JSON. */
	handleFailure(failure: string): boolean;
};

declare global {
	interface Window {
		vincula?: ForWasm;
	}
}

const page = createPage();

window.vincula = {
	...page,
	handleFailure: (failure) =>
		page.handleFailure(JSON.parse(failure) as Failure),
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
