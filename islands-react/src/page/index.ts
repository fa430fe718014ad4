/**
 * The page's module, one instance for each document: every document but the entry loads it in its head, and the entry
 * imports it once it shows a step. The wasm modules call what it exports.
 */
import { watchNativeForms } from './native-form';
import { removeMark, watchReturn } from './navigate';
import { createPage, type Page } from './page';
import { startStep } from './step';

declare global {
  interface Window {
    vincula: Page;
  }
}

const page = createPage();

export const { post, handleFailure, replace, toast, undelivered, deliver, forget, importModule, reportIsland } = page;

// For the glue of the wasm modules, which finds its imports in globals.
window.vincula = page;

removeMark();
watchReturn();
watchNativeForms();
if (window.vinculaEntry === undefined) startStep(page);

/** Starts the step at `path`, which the entry shows in its own place. */
export function startAt(path: string): void {
  page.arrivedAt(path);
  startStep(page);
}
