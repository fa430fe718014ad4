/**
 * Hydrates the islands of a step that the entry shows in its own place. Leptos' script does it in a document that the browser
 * has loaded; in one that a request has parsed, no script runs.
 */
import { whenIdle } from "./islands";

/** Addresses of the wasm module and its glue. */
export type WasmFiles = { glue: string; wasm: string };

/** What the glue exports: wasm-bindgen's initialiser, Leptos' start, and one function for each kind of island. */
type Glue = {
	default(options: { module_or_path: string }): Promise<unknown>;
	hydrate(): void;
} & Record<string, (island: Element) => void>;

/**
 * Evaluating React takes a slow phone some tenths of a second, in which it answers no tap. A page that works without it
 * leaves that time to the person first.
 */
const HYDRATED_AFTER_MS = 400;

/** Rejects if the module does not load. */
export async function hydrateStep({ glue, wasm }: WasmFiles): Promise<void> {
	await painted();
	const worksAlready = document.querySelector("[data-standalone]") !== null;
	if (worksAlready)
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
 * Hydration takes a slow phone some tenths of a second, in which it answers no tap. So it waits for the first frame, and
 * for the next one, which follows once that is on the screen. Background tabs paint no frame.
 */
function painted(): Promise<void> {
	return new Promise((done) => {
		requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(done)));
		setTimeout(done, 500);
	});
}
