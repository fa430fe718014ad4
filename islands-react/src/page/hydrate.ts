/**
 * Hydrates the islands of a step that replaces the entry, as Leptos' own script does in a document that
 * the browser loads (`src/hydration/island_script.js` in the crate `leptos`): in a document that a request
 * has parsed, no script runs. Islands with children, for which Leptos' script walks the tree, do not occur.
 */
import { whenIdle } from "./failure";

/** Addresses of the wasm module and its glue. */
export type WasmFiles = { glue: string; wasm: string };

/** The glue's exports: wasm-bindgen's initialiser, Leptos' start, and one function per island type. */
type Glue = {
	default(options: { module_or_path: string }): Promise<unknown>;
	hydrate(): void;
} & Record<string, (island: Element) => void>;

/**
 * The delay for a page that works without React. Evaluating React blocks a slow phone for a tenth of a
 * second or more, in which taps have no effect.
 */
const HYDRATED_AFTER_MS = 400;

/** Loads the wasm module and hydrates all islands. Rejects if the module does not load. */
export async function hydrateStep({ glue, wasm }: WasmFiles): Promise<void> {
	await painted();
	const isStandalone = document.querySelector("[data-standalone]") !== null;
	if (isStandalone)
		await new Promise((done) => setTimeout(done, HYDRATED_AFTER_MS));
	const module: Glue = await import(glue);
	await module.default({ module_or_path: wasm });
	module.hydrate();
	for (const island of document.querySelectorAll<HTMLElement>(
		"leptos-island",
	)) {
		module[island.dataset.component ?? ""]?.(island);
	}
}

/**
 * Resolves after the second frame, when the first one is on the screen: hydration blocks a slow phone
 * for a tenth of a second or more. Background tabs paint no frames, so a timer resolves as well.
 */
function painted(): Promise<void> {
	return new Promise((done) => {
		requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(done)));
		setTimeout(done, 500);
	});
}
