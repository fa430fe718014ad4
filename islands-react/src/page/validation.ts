/**
 * The validation of the link (design D2): a POST, so that a link preview never uses up a token. The answer is the document
 * of the step, which takes the place of the entry.
 */

/** Where the link leads, and the document of that step if it can be shown in the entry's place. */
export type Arrival = { to: string; step: Document | null };

/** Why a validation has no answer: too many people want one, this device is offline, or the server does not say. */
export type Silence = 'busy' | 'offline' | 'silent';

/** Rejects with the {@link Silence} if there is no answer. */
export function validate(): Promise<Arrival> {
  return new Promise((resolve, rejectWith) => {
    const reject = (why: Silence): void => rejectWith(why);
    const request = new XMLHttpRequest();
    request.open('POST', '/api/validate_token');
    request.setRequestHeader('content-type', 'application/json');
    request.setRequestHeader('accept', canShowStep() ? 'text/html' : 'application/json');
    // The browser itself parses the document. Its scripts never run, and Trusted Types have no say in it.
    request.responseType = 'document';
    request.onload = () => {
      const to = request.getResponseHeader('content-location');
      if (to === null) reject(isBusy(request.status) ? 'busy' : 'silent');
      else resolve({ to, step: request.status === 200 ? request.responseXML : null });
    };
    request.onerror = () => reject(navigator.onLine ? 'silent' : 'offline');
    request.send(JSON.stringify({ input: { query: location.search } }));
  });
}

/** Whether the server has more requests than it takes, or more than it takes of one client. */
function isBusy(status: number): boolean {
  return status === 429 || status === 503;
}

/**
 * Whether the session's cookie will be there for the step's actions. If the browser may have dropped it, a navigation
 * lets the server find out and say so (see `routes::VALIDATED`).
 */
function canShowStep(): boolean {
  return navigator.cookieEnabled && window.top === window;
}
