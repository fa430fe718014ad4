/** `/`: shows how the validation goes that `begin.ts` has sent, and then its step. It needs no other file. */
import type { Arrival, NoAnswer } from './arrival';
import type {} from './begin';
import { notices } from './messages';
import { createLeaving, type Leaving } from './navigate';
import { showStep } from './show-step';
import { createToasts, type Toast } from './toast';

const SLOW_AFTER_MS = 8000;
const FONT_AFTER_MS = 100;

type Ways = { toast: Toast } & Pick<Leaving, 'replace'>;

/** `font` is the address of the step's font. */
export function startEntry({ first, validate }: NonNullable<Window['vinculaEntry']>, font: string): void {
  preloadFont(font);
  const { toast } = createToasts();
  const ways = { toast, ...createLeaving(toast) };
  whenParsed(() => {
    document.getElementById('entry-form')?.addEventListener('submit', (event) => {
      event.preventDefault();
      void follow(validate(), ways);
    });
    void follow(first, ways);
  });
}

/** Shows how a validation goes, and then where it leads. */
async function follow(validation: Promise<Arrival | NoAnswer>, { toast, replace }: Ways): Promise<void> {
  const part = (name: string) => document.getElementById(`entry-${name}`) as HTMLElement;
  const [title, waiting, failed] = [part('title'), part('waiting'), part('failed')];
  const [reason, slow] = [part('reason'), part('slow')];
  part('by-hand').hidden = true;
  title.textContent = title.dataset.validating ?? '';
  waiting.hidden = false;
  failed.hidden = true;
  const timer = setTimeout(() => {
    slow.hidden = false;
  }, SLOW_AFTER_MS);
  const arrival = await validation;
  clearTimeout(timer);
  slow.hidden = true;
  if (typeof arrival === 'string') {
    reason.textContent = reason.dataset[arrival] ?? '';
    document.documentElement.dataset.validation = 'waiting';
    title.textContent = title.dataset.failed ?? '';
    waiting.hidden = true;
    failed.hidden = false;
    // Its name and its description say what failed, and why.
    failed.focus({ preventScroll: true });
    toast('error', notices.noReply);
  } else if (arrival.step?.body) showStep(arrival.step, arrival.to);
  else replace(arrival.to, false);
}

/** The step's font: after the validation has been sent, so that it does not compete with it. */
function preloadFont(href: string): void {
  setTimeout(() => {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href });
    document.head.append(link);
  }, FONT_AFTER_MS);
}

/** Runs a task once the document has been parsed: now, if it has. */
function whenParsed(task: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', task, { once: true });
  else task();
}
