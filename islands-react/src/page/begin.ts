/**
 * The first script of the entry: it sends the validation before the browser parses anything else. For a moment it shows
 * nothing, because rendering the spinner would delay a step that is about to arrive.
 */
import { type Arrival, validate } from './validation';

const BLANK_MS = 500;

declare global {
  interface Window {
    /** On the entry only. */
    vinculaEntry?: { validate: () => Promise<Arrival>; first: Promise<Arrival> };
  }
}

const first = whenSeen().then(validate);
// The page's script handles it once the document is there to say so.
first.catch(() => undefined);
window.vinculaEntry = { validate, first };

// Without this the style sheet shows the button that posts without a script.
document.documentElement.dataset.validation = 'begun';
setTimeout(() => {
  if (document.documentElement.dataset.validation) document.documentElement.dataset.validation = 'waiting';
}, BLANK_MS);

/** A page that the browser prerenders must not use up the token before somebody sees it. */
function whenSeen(): Promise<void> {
  const { prerendering } = document as Document & { prerendering?: boolean };
  if (!prerendering) return Promise.resolve();
  return new Promise((done) => document.addEventListener('prerenderingchange', () => done(), { once: true }));
}
