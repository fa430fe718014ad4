/** Replaces the entry by a step. */

import { focusTitle } from "./announce";
import { fail, watchFailures, whenIdle } from "./failure";
import type { WasmFiles } from "./index";
import { rememberServed } from "./served";

/** The export of the page's module (`index.ts`) that the entry uses. */
type PageModule = { hydrateStep(files: WasmFiles): Promise<void> };

/** Replaces this document's content by the step's, under the step's address. */
export function showStep(step: Document, to: string): void {
	history.replaceState(null, "", to);
	document.title = step.title;
	replaceThemeColors(step);
	applyFirmStyle(step);
	// No script runs in a parsed document, so the parser reads the content of noscript as markup.
	for (const element of step.querySelectorAll("noscript, script:not([type])"))
		element.remove();
	delete document.documentElement.dataset.validation;
	document.body.replaceWith(document.adoptNode(step.body));
	rememberServed();
	scrollTo(0, 0);
	focusTitle();
	// The step can be seen and used before its modules take the processor.
	requestAnimationFrame(() =>
		whenIdle(() => {
			watchFailures();
			loadModules(step).catch((error) => fail("page", error));
			// Modules that the step loads anyway, in parallel.
			document.head.append(
				...step.head.querySelectorAll(
					'link[rel="modulepreload"], link[as="fetch"]',
				),
			);
		}),
	);
}

/** Loads what the step's own document would load. Native forms and links work without it. */
async function loadModules(step: Document): Promise<void> {
	const { src = "" } =
		step.head.querySelector<HTMLScriptElement>('script[type="module"][src]') ??
		{};
	const files = wasmFiles(step);
	const module: PageModule = await import(src);
	if (files) await module.hydrateStep(files);
}

/** Returns the files that Leptos' script would load, by their preload links. */
function wasmFiles(step: Document): WasmFiles | null {
	const glue = step.head.querySelector<HTMLLinkElement>(
		'link[rel="modulepreload"][href^="/pkg/"]',
	);
	const wasm = step.head.querySelector<HTMLLinkElement>(
		'link[type="application/wasm"]',
	);
	return glue && wasm && { glue: glue.href, wasm: wasm.href };
}

/** Gives the browser's own bars the colours of the step. */
function replaceThemeColors(step: Document): void {
	const selector = 'meta[name="theme-color"]';
	for (const meta of document.head.querySelectorAll(selector)) meta.remove();
	document.head.append(...step.head.querySelectorAll(selector));
}

/**
 * Applies the firm's colours. The step carries them in a meta element, because a style element would
 * need this document's nonce.
 */
function applyFirmStyle(step: Document): void {
	const css =
		step.querySelector<HTMLMetaElement>('meta[name="style"]')?.content;
	if (css === undefined) return;
	const { nonce } = document.querySelector<HTMLElement>("script[nonce]") ?? {};
	document.head.append(
		Object.assign(document.createElement("style"), { nonce, textContent: css }),
	);
}
