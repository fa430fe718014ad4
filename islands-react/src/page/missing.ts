/**
 * The server inlines this script in documents with islands, before they are parsed. It watches for
 * missing islands, and remembers the nodes of the others before an extension changes them.
 */
import { watchFailures } from "./failure";
import { rememberServed } from "./served";

watchFailures();

const parser = new MutationObserver(() => {
	// The footer follows the islands.
	if (document.querySelector("footer") === null) return;
	parser.disconnect();
	rememberServed();
});
parser.observe(document, { childList: true, subtree: true });
