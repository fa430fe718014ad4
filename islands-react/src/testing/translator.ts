/**
 * A translator, for the screens' tests, which run once more with it. After each change it replaces all
 * text nodes of the page, as Safari's does: elements stay as they are. The words stay the same.
 */
import { afterEach, beforeEach } from "vitest";

/** The text nodes that it has put into the page. */
let translations: WeakSet<Text>;
let translator: MutationObserver;

beforeEach(() => {
	translations = new WeakSet();
	translator = new MutationObserver(translate);
	translator.observe(document.body, {
		childList: true,
		characterData: true,
		subtree: true,
	});
});

afterEach(() => translator.disconnect());

function translate(): void {
	const texts: Text[] = [];
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) texts.push(walker.currentNode as Text);
	for (const text of texts) {
		if (translations.has(text) || text.parentElement?.closest("script"))
			continue;
		const translation = new Text(text.data);
		translations.add(translation);
		text.replaceWith(translation);
	}
}
