/**
 * The server inlines this script in documents with islands, before they are parsed. It watches for
 * missing islands, and remembers the nodes of the others before an extension changes them.
 */
import { watchFailures } from "./failure";
import { rememberServed } from "./served";

watchFailures();
// The document is parsed, and deferred scripts have not run.
document.addEventListener("readystatechange", rememberServed, { once: true });
