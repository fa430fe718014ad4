/** `/`: shows how the validation goes that `begin.ts` has sent, and then its step. */
import { common } from '../messages';
import type { Arrival, NoAnswer } from './arrival';
import type {} from './begin';
import { replace } from './navigate';
import { showStep, whenParsed } from './step';
import { toast } from './toast';

const SLOW_AFTER_MS = 8000;
const FONT_AFTER_MS = 100;

/** `font` is the address of the step's font. */
export function startEntry({ first, validate }: NonNullable<Window['vinculaEntry']>, font: string): void {
  preloadFont(font);
  whenParsed(() => {
    document.getElementById('entry-form')?.addEventListener('submit', (event) => {
      event.preventDefault();
      void follow(validate());
    });
    void follow(first);
  });
}

/** Shows how a validation goes, and then where it leads. */
async function follow(validation: Promise<Arrival | NoAnswer>): Promise<void> {
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
    toast('error', common.noReply);
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
