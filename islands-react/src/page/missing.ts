/**
 * Shows the card for missing islands if the page's module itself, which otherwise does this, does not
 * load. The server inlines this script in documents with islands, except the entry.
 */
import { MISSING_AFTER_MS, showFailure } from "./islands";

// Captured, because the load errors of scripts do not bubble.
addEventListener(
	"error",
	({ target }) => target instanceof HTMLScriptElement && showFailure(),
	{ capture: true },
);
setTimeout(() => {
	if (document.body.dataset.islands === undefined) showFailure();
}, MISSING_AFTER_MS);
