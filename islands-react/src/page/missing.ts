/**
 * Inline in documents with islands, but for the entry: the page's module says which part of a page is missing, and this script
 * says so if that module itself is missing.
 */
import { STALLED_AFTER_MS, showStalled } from "./islands";

// An error that a script does not load is not passed on to the window, but can be caught on its way there.
addEventListener(
	"error",
	({ target }) => target instanceof HTMLScriptElement && showStalled(),
	{ capture: true },
);
setTimeout(() => {
	if (document.body.dataset.islands === undefined) showStalled();
}, STALLED_AFTER_MS);
