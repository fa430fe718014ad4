/** Starts the entry. The server inlines this script after `begin.ts`. */
import { startEntry } from "./entry";

const { font } = document.currentScript?.dataset ?? {};
if (window.vinculaEntry && font !== undefined)
	startEntry(window.vinculaEntry, font);
