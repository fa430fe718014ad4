/**
 * The first script of the entry: it sends the validation of the link before the browser parses anything else. A POST, so
 * that a link preview never uses up a token. For a moment the entry shows nothing, because rendering the spinner would
 * delay a step that is about to arrive.
 */

const BLANK_MS = 500;

/** Where the link leads, and the document of that step if it can be shown in the entry's place. */
export type Arrival = { to: string; step: Document | null };

/** Why a validation has no answer: too many people want one, this device is offline, or the server does not say. */
export type NoAnswer = 'busy' | 'offline' | 'silent';

declare global {
  interface Window {
    /** On the entry only. `validate` rejects with {@link NoAnswer}. */
    vinculaEntry?: { validate: () => Promise<Arrival>; first: Promise<Arrival> };
  }
}

const first = afterPrerendering().then(validate);
// The page's script handles it once the document is there to say so.
first.catch(() => undefined);
window.vinculaEntry = { validate, first };

// Without this the style sheet shows the button that posts without a script.
document.documentElement.dataset.validation = 'begun';
setTimeout(() => {
  if (document.documentElement.dataset.validation) document.documentElement.dataset.validation = 'waiting';
}, BLANK_MS);

/** A page that the browser prerenders must not use up the token before somebody sees it. */
function afterPrerendering(): Promise<void> {
  const { prerendering } = document as Document & { prerendering?: boolean };
  if (!prerendering) return Promise.resolve();
  return new Promise((done) => document.addEventListener('prerenderingchange', () => done(), { once: true }));
}

function validate(): Promise<Arrival> {
  return new Promise((resolve, rejectWith) => {
    const reject = (why: NoAnswer): void => rejectWith(why);
    const request = new XMLHttpRequest();
    request.open('POST', '/api/validate_token');
    request.setRequestHeader('content-type', 'application/json');
    request.setRequestHeader('accept', canShowStep() ? 'text/html' : 'application/json');
    // The browser itself parses the document. Its scripts never run, and Trusted Types have no say in it.
    request.responseType = 'document';
    request.onload = () => {
      const to = request.getResponseHeader('content-location');
      // 429 and 503: more requests than the server takes, or than it takes of one client.
      if (to === null) reject([429, 503].includes(request.status) ? 'busy' : 'silent');
      else resolve({ to, step: request.status === 200 ? request.responseXML : null });
    };
    request.onerror = () => reject(navigator.onLine ? 'silent' : 'offline');
    request.send(JSON.stringify({ input: { query: location.search } }));
  });
}

/**
 * Whether the session's cookie will be there for the step's actions. If the browser may have dropped it, a navigation
 * lets the server find out and say so (`routes::VALIDATED`).
 */
function canShowStep(): boolean {
  return navigator.cookieEnabled && window.top === window;
}
