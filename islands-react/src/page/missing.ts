/**
 * The server inlines this script in documents with islands, before they are parsed. It watches for
 * missing islands, and remembers the nodes of the others before a translator or an extension changes
 * them.
 */
import { watchFailures } from "./failure";
import { rememberWhenParsed } from "./served";

watchFailures();
rememberWhenParsed();
