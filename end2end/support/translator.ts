/** Translators and extensions, as they change a page. */
import type { Page } from "@playwright/test";

/**
 * How a translator puts its text into the page: Chrome wraps each text in two `font` elements, Safari replaces each text
 * node, Firefox changes its text.
 */
export type Translator = "Chrome" | "Safari" | "Firefox";

/** A text in the translator's language. */
export function translated(text: string): string {
	return `‹${text}›`;
}

/**
 * Translates the page's documents while they are parsed, and then whatever changes in them. Real translators take longer to
 * react to a change.
 */
export async function translatePages(
	page: Page,
	translator: Translator,
): Promise<void> {
	await page.addInitScript(`(${startTranslator})("${translator}")`);
}

/** Translates the page from now on. */
export async function translatePage(
	page: Page,
	translator: Translator,
): Promise<void> {
	await page.evaluate(`(${startTranslator})("${translator}")`);
}

/** Runs in the page. */
function startTranslator(translator: Translator): void {
	const translate = (text: Text): void => {
		const isTranslated = text.data.trimStart().startsWith("‹");
		const isOurs = text.parentElement?.closest(
			'script, style, template, [translate="no"]',
		);
		if (isTranslated || isOurs || text.data.trim() === "") return;
		const words = text.data.trim();
		const translation = text.data.replace(words, () => `‹${words}›`);
		if (translator === "Firefox") {
			text.data = translation;
		} else if (translator === "Safari") {
			text.replaceWith(translation);
		} else {
			const outer = document.createElement("font");
			const inner = outer.appendChild(document.createElement("font"));
			inner.append(translation);
			text.replaceWith(outer);
		}
	};
	const translateAll = (): void => {
		const texts: Text[] = [];
		const walker = document.createTreeWalker(document, 4);
		while (walker.nextNode()) texts.push(walker.currentNode as Text);
		texts.forEach(translate);
	};
	translateAll();
	new MutationObserver(translateAll).observe(document, {
		childList: true,
		characterData: true,
		subtree: true,
	});
}

/** Does what extensions do: an icon beside each input, a wrapped word in each text, attributes. */
export async function extendPage(page: Page): Promise<void> {
	await page.evaluate(() => {
		for (const input of document.querySelectorAll("input")) {
			input.setAttribute("data-lastpass-icon-root", "true");
			input.after(document.createElement("com-1password-button"));
		}
		for (const element of [document.documentElement, document.body])
			element.setAttribute("data-gr-ext-installed", "");
		const texts: Text[] = [];
		const walker = document.createTreeWalker(document.body, 4);
		while (walker.nextNode()) texts.push(walker.currentNode as Text);
		for (const text of texts) {
			const isWord = text.parentElement?.closest("script, style") === null;
			if (!isWord || text.data.trim() === "") continue;
			const word = document.createElement("mark");
			word.append(text.data);
			text.replaceWith(word);
		}
	});
}
