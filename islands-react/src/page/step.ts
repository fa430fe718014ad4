/** One step of the journey, whether it came as a document of its own or in the place of the entry. */
import { common } from '../messages';
import { arrivedAt } from './client';
import { hydrateIslands } from './islands';
import { deliver, undelivered } from './kept';
import { pageNonce } from './nonce';
import { watchOtherTabs } from './other-tab';
import { toast } from './toast';

/**
 * Evaluating React takes a slow phone some tenths of a second, in which it answers no tap. A page that works without it
 * leaves that time to the person first.
 */
const HYDRATED_AFTER_MS = 400;

/** The pages that deliver an item in the background; those of Connect, the accounts and the cancellation do it themselves. */
const DELIVERING = ['consent', 'bank-form', 'success'];

/** Puts the step's document in the place of this one, under the step's address. */
export function showStep(step: Document, to: string): void {
  history.replaceState(null, '', to);
  arrivedAt(to);
  document.title = step.title;
  replaceThemeColors(step);
  applyFirmStyle(step);
  // Parsed without scripting: the content of noscript is markup like any other. Its scripts would not run.
  for (const element of step.querySelectorAll('noscript, script:not([type])')) element.remove();
  // What is far below the screen waits for the second frame (consent.css).
  step.body.dataset.arriving = '';
  document.body.replaceWith(document.adoptNode(step.body));
  delete document.documentElement.dataset.validation;
  scrollTo(0, 0);
  startStep();
  requestAnimationFrame(() =>
    setTimeout(() => {
      delete document.body.dataset.arriving;
      // After the step can be used: modules that it loads anyway, now in parallel.
      document.head.append(...step.head.querySelectorAll('link[rel="modulepreload"], link[as="fetch"]'));
    }),
  );
}

/** Makes the step work. Every part does nothing if the step lacks its markup. */
export function startStep(): void {
  watchOtherTabs();
  operateCopying();
  operateReceipt();
  if (document.body.dataset.unanswered !== undefined) toast('error', common.noReply);
  // A new step starts at its heading, unless the person is already somewhere in it.
  if (document.activeElement === document.body) {
    document.querySelector<HTMLElement>('.step__title')?.focus({ preventScroll: true });
  }
  const session = document.getElementById('other-tab')?.dataset.session;
  if (session !== undefined) {
    // Connect has linked an account, and the server does not know it yet.
    if (undelivered(session) !== null) document.getElementById('not-linked')?.remove();
    if (DELIVERING.includes(document.body.dataset.page ?? '')) void deliver(session);
  }
  const worksAlready = document.querySelector('[data-standalone]') !== null;
  void hydrateIslands({ after: worksAlready ? HYDRATED_AFTER_MS : 0 });
}

/** The browser's own bars take the colour of the step. */
function replaceThemeColors(step: Document): void {
  const selector = 'meta[name="theme-color"]';
  for (const meta of document.head.querySelectorAll(selector)) meta.remove();
  document.head.append(...step.head.querySelectorAll(selector));
}

/** The firm's colours, which the entry did not know. They are no style yet: the step's nonce is not this document's. */
function applyFirmStyle(step: Document): void {
  const css = step.querySelector<HTMLMetaElement>('meta[name="style"]')?.content;
  if (css === undefined) return;
  document.head.append(Object.assign(document.createElement('style'), { nonce: pageNonce(), textContent: css }));
}

/** Lets the support code of an error screen be copied. Without a clipboard it can only be selected. */
function operateCopying(): void {
  const code = document.getElementById('support-code');
  const button = document.getElementById('copy-code');
  const status = document.getElementById('copied');
  if (!code || !button || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    // The same words are announced again only if they were gone.
    if (status) status.textContent = '';
    try {
      await navigator.clipboard.writeText(code.textContent ?? '');
      if (status) status.textContent = status.dataset.words ?? '';
    } catch {
      getSelection()?.selectAllChildren(code);
    }
  });
}

/** Lets the receipt be printed, which is also how browsers save a page, and passed on as text. */
function operateReceipt(): void {
  const print = document.getElementById('print');
  const share = document.getElementById('share');
  if (!print || !share) return;
  print.hidden = false;
  print.addEventListener('click', () => window.print());
  share.hidden = !('share' in navigator);
  share.addEventListener('click', () => {
    const facts = [...document.querySelectorAll('.facts__one')].map(({ children: [name, value] }) =>
      [name?.textContent, value?.textContent].join(': '),
    );
    // Dismissed, or refused by an embedded browser: the page stays as it is.
    navigator.share({ title: document.title, text: [document.title, ...facts].join('\n') }).catch(() => undefined);
  });
}

/** Runs a task once the document has been parsed: now, if it has. */
export function whenParsed(task: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', task, { once: true });
  else task();
}
