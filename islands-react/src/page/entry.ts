/**
 * `/`: validates the link (design D2) while the document is still being parsed. A POST, so that a link preview never
 * uses up a token. The answer is the document of the step, which takes the place of this one.
 */
import { common } from '../messages';
import { replace } from './navigate';
import { whenParsed } from './parsed';
import { showStep } from './step';
import { toast } from './toast';

const SLOW_AFTER_MS = 8000;
const FONT_AFTER_MS = 100;

/** Where the link leads, and the document of that step if it can be shown in this one's place. */
type Arrival = { to: string; step: Document | null };

export function startEntry(font: string): void {
  // Otherwise the style sheet shows the button that posts without a script.
  document.documentElement.dataset.validation = 'begun';
  const first = whenSeen().then(validate);
  // Handled once the document is there to say so.
  first.catch(() => undefined);
  preloadFont(font);
  whenParsed(() => {
    const form = document.getElementById('entry-form');
    form?.addEventListener('submit', (event) => {
      event.preventDefault();
      void follow(validate());
    });
    void follow(first);
  });
}

/** Rejects if there is no response. */
function validate(): Promise<Arrival> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/api/validate_token');
    request.setRequestHeader('content-type', 'application/json');
    request.setRequestHeader('accept', canShowStep() ? 'text/html' : 'application/json');
    // The browser itself parses the document. Its scripts never run, and Trusted Types have no say in it.
    request.responseType = 'document';
    request.onload = () => {
      const to = request.getResponseHeader('content-location');
      if (to === null) reject(new Error('no reply'));
      else resolve({ to, step: request.status === 200 ? request.responseXML : null });
    };
    request.onerror = () => reject(new Error('no reply'));
    request.send(JSON.stringify({ input: { query: location.search } }));
  });
}

/**
 * Whether the session's cookie will be there for the step's actions. If the browser may have dropped it, a navigation
 */
function canShowStep(): boolean {
  return navigator.cookieEnabled && window.top === window;
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
    else replace(to);
  } catch {
    retitle(title?.dataset.failed);
    hide(waiting, true);
    hide(failed, false);
    toast('error', common.noReply);
  } finally {
    clearTimeout(timer);
    hide(slow, true);
  }
}

/** A page that the browser prerenders must not use up the token before somebody sees it. */
function whenSeen(): Promise<void> {
  const { prerendering } = document as Document & { prerendering?: boolean };
  if (!prerendering) return Promise.resolve();
  return new Promise((done) => document.addEventListener('prerenderingchange', () => done(), { once: true }));
}

/** The step's font: after the validation has been sent, so that it does not compete with it. */
function preloadFont(href: string): void {
  setTimeout(() => {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href });
    document.head.append(link);
  }, FONT_AFTER_MS);
}
