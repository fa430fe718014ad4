/** The script of every document, inline in its head: a prerendered step works before any file has arrived. */
import { client } from './client';
import { startEntry } from './entry';
import { watchNativeForms } from './native-form';
import { removeMark, watchReturn } from './navigate';
import { startStep, whenParsed } from './step';

window.vincula = client;
removeMark();
watchReturn();
watchNativeForms();
const { font } = document.currentScript?.dataset ?? {};
if (window.vinculaEntry && font !== undefined) startEntry(window.vinculaEntry, font);
else whenParsed(startStep);
