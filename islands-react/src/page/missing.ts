/** Watches for missing islands. The server inlines this script in documents with islands. */
import { watchFailures } from "./failure";

watchFailures();
