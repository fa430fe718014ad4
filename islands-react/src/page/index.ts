/**
 * The script of every document, inline in its head: the entry validates while the rest is still on the line, and a
 * prerendered step works before any file has arrived.
 */
import { client } from './client';
import { startEntry } from './entry';
import { whenParsed } from './parsed';
import { startStep } from './step';
import { removeMark } from './validated';

window.vincula = client;
removeMark();
const { font } = document.currentScript?.dataset ?? {};
if (font !== undefined) startEntry(font);
else whenParsed(startStep);
