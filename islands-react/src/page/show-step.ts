/** Shows a step in the place of the entry. */
import { focusTitle } from "./focus-title";
import type { WasmFiles } from "./hydrate";
import { STALLED_AFTER_MS, showStalled } from "./islands";
import { pageNonce } from "./nonce";

/** What the page's module exports for the entry (`index.ts`). */
type PageModule = { startAt(path: string, files: WasmFiles | null): void };

/** Puts the step's document in the place of this one, under the step's address. */
export function showStep(step: Document, to: string): void {
	history.replaceState(null, "", to);
	document.title = step.title;
	replaceThemeColors(step);
	applyFirmStyle(step);
	// Parsed without scripting: the content of noscript is markup like any other. Its scripts would not run.
	for (const element of step.querySelectorAll("noscript, script:not([type])"))
		element.remove();
	// What is far below the screen waits for the second frame (consent.css).
	step.body.dataset.arriving = "";
	document.body.replaceWith(document.adoptNode(step.body));
	delete document.documentElement.dataset.validation;
	scrollTo(0, 0);
	focusTitle();
	void startPage(step, to);
	requestAnimationFrame(() =>
		setTimeout(() => {
			delete document.body.dataset.arriving;
			// After the step can be used: modules that it loads anyway, now in parallel.
			document.head.append(
				...step.head.querySelectorAll(
					'link[rel="modulepreload"], link[as="fetch"]',
				),
			);
		}),
	);
}

/** The step's own document would have loaded the page's module. What the browser itself operates works without it. */
async function startPage(step: Document, to: string): Promise<void> {
	const { src = "" } =
		step.head.querySelector<HTMLScriptElement>('script[type="module"][src]') ??
		{};
	const files = wasmFiles(step);
	const stalled = setTimeout(showStalled, STALLED_AFTER_MS);
	const module: PageModule | undefined = await import(src).catch(showStalled);
	clearTimeout(stalled);
	module?.startAt(to, files);
}

/** What Leptos' script would load, by the links beside it. */
function wasmFiles(step: Document): WasmFiles | null {
	const glue = step.head.querySelector<HTMLLinkElement>(
		'link[rel="modulepreload"][href^="/pkg/"]',
	);
	const wasm = step.head.querySelector<HTMLLinkElement>(
		'link[type="application/wasm"]',
	);
	return glue && wasm && { glue: glue.href, wasm: wasm.href };
}

/** The browser's own bars take the colour of the step. */
function replaceThemeColors(step: Document): void {
	const selector = 'meta[name="theme-color"]';
	for (const meta of document.head.querySelectorAll(selector)) meta.remove();
	document.head.append(...step.head.querySelectorAll(selector));
}

/** The firm's colours, which the entry did not know. They are no style yet: the step's nonce is not this document's. */
function applyFirmStyle(step: Document): void {
	const css =
		step.querySelector<HTMLMetaElement>('meta[name="style"]')?.content;
	if (css === undefined) return;
	document.head.append(
		Object.assign(document.createElement("style"), {
			nonce: pageNonce(),
			textContent: css,
		}),
	);
}
