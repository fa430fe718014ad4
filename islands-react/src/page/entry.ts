/** `/`: shows how the validation goes that `begin.ts` has sent, and then its step. */
import { common } from '../messages';
import type { Arrival } from './begin';
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
async function follow(validation: Promise<Arrival>): Promise<void> {
  const part = (name: string): HTMLElement | null => document.getElementById(`entry-${name}`);
  const [title, waiting, failed, slow] = [part('title'), part('waiting'), part('failed'), part('slow')];
  const hide = (element: HTMLElement | null, hidden: boolean): void => {
    if (element) element.hidden = hidden;
  };
  const retitle = (text: string | undefined): void => {
    if (title && text !== undefined) title.textContent = text;
  };
  hide(part('by-hand'), true);
  retitle(title?.dataset.validating);
  hide(waiting, false);
  hide(failed, true);
  const timer = setTimeout(() => hide(slow, false), SLOW_AFTER_MS);
  try {
    const { to, step } = await validation;
    if (step?.body) showStep(step, to);
    else replace(to, false);
  } catch (why) {
    const reason = part('reason');
    const says = typeof why === 'string' ? reason?.dataset[why] : reason?.dataset.silent;
    if (reason && says !== undefined) reason.textContent = says;
    document.documentElement.dataset.validation = 'waiting';
    retitle(title?.dataset.failed);
    hide(waiting, true);
    hide(failed, false);
    toast('error', common.noReply);
  } finally {
    clearTimeout(timer);
    hide(slow, true);
  }
}

/** The step's font: after the validation has been sent, so that it does not compete with it. */
function preloadFont(href: string): void {
  setTimeout(() => {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href });
    document.head.append(link);
  }, FONT_AFTER_MS);
}
