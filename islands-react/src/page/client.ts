/**
 * The client of the server's actions. Every document has it inline as `window.vincula`: the page's own scripts, React's
 * islands and the wasm islands all call actions, follow failures and show toasts through it.
 */

import { ENTRY, TOKEN_INVALID, VALIDATED } from '../generated/routes';
import type { Action, Reaction } from '../generated/types';
import { common } from '../messages';
import { isReaction } from '../wire';
import { operateConsent } from './consent';
import { replace } from './navigate';
import { stop, stopped } from './other-tab';
import { type ToastKind, toast } from './toast';
import { type Delivery, deliver, type Undelivered, undelivered } from './undelivered';

const REASON_MAX_CHARS = 200;

export type Answer = { ok: true; data: unknown } | { ok: false; failure: Reaction; retryAfterMs: number };

export type Client = {
  post(action: Action, input: object, keepalive?: boolean, timeoutMs?: number): Promise<Answer>;
  handleFailure(failure: Reaction): boolean;
  /** Goes to a path of this origin. `done`: it is the way on after a success. */
  replace(to: string, done?: boolean): void;
  toast(kind: ToastKind, message: string): void;
  reportIsland(island: string, error: unknown): void;
  importModule(url: string): Promise<unknown>;
  /** The item that was linked at the bank in this session and that the server does not have yet. */
  undelivered(session: string): Undelivered | null;
  /** Delivers it. Follows a refusal, but stays on the page after a success. */
  deliver(session: string): Promise<Delivery>;
  /** Makes a consent form work. */
  operateConsent(form: HTMLFormElement): void;
};

declare global {
  interface Window {
    vincula: Client;
  }
}

/** The step that took the entry's place, until an action has shown that the browser sends the session's cookie. */
let unprovenStep: string | undefined;

/** Notes that the page shows a step although it was not requested with the session's cookie. */
export function arrivedAt(path: string): void {
  unprovenStep = path;
}

export const client: Client = {
  post,
  handleFailure,
  replace,
  toast,
  reportIsland,
  importModule: (url) => import(url),
  undelivered,
  deliver,
  operateConsent,
};

/**
 * Posts an action and returns its answer; never rejects. With `keepalive` the request outlives the page. Without an
 * answer after `timeoutMs` milliseconds (0: no limit), or when another session stops this page, it is aborted.
 */
async function post(action: Action, input: object, keepalive = false, timeoutMs = 0): Promise<Answer> {
  const call = new AbortController();
  const abort = (): void => call.abort();
  stopped.addEventListener('abort', abort);
  if (stopped.aborted) abort();
  const timer = timeoutMs > 0 ? setTimeout(abort, timeoutMs) : 0;
  try {
    const response = await fetch(`/api/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      credentials: 'same-origin',
      cache: 'no-store',
      body: JSON.stringify({ input }),
      keepalive,
      signal: call.signal,
    });
    const retryAfterMs = 1000 * (Number(response.headers.get('retry-after')) || 0);
    return answerOf(response.ok, await response.text(), retryAfterMs);
  } catch {
    return { ok: false, failure: { kind: stopped.aborted ? 'other_tab' : 'no_reply' }, retryAfterMs: 0 };
  } finally {
    clearTimeout(timer);
    stopped.removeEventListener('abort', abort);
  }
}

function answerOf(ok: boolean, text: string, retryAfterMs: number): Answer {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Our server always answers JSON. Anything else comes from a proxy whose server is down.
    if (!ok) return { ok: false, failure: { kind: 'no_reply' }, retryAfterMs };
  }
  if (ok && body !== undefined) {
    unprovenStep = undefined;
    return { ok, data: body };
  }
  const failure: Reaction = !ok && isReaction(body) ? body : { kind: 'navigate', to: TOKEN_INVALID };
  return { ok: false, failure, retryAfterMs };
}

/** Does what a failed action asks for (spec §8). Returns whether the page stays. */
function handleFailure(failure: Reaction): boolean {
  switch (failure.kind) {
    case 'no_reply':
      toast('error', common.noReply);
      return true;
    case 'other_tab':
      stop();
      return true;
    case 'navigate':
      // Without a session the server leads to the entry. If there has never been one, it was the cookie.
      replace(failure.to === ENTRY && unprovenStep !== undefined ? `${unprovenStep}?${VALIDATED}` : failure.to, false);
      return false;
    case 'invalid':
      // Only the bank form has fields, and it shows their errors itself.
      replace(TOKEN_INVALID, false);
      return false;
  }
}

/** Puts an island that could not start, or broke, into the server's log. */
function reportIsland(island: string, error: unknown): void {
  void post('report_island', { island, reason: reasonOf(error) }, true);
}

/** A short reason without anything that looks like a document or account number. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
  return text.replace(/\d[\d.\-/]{6,}\d/g, '#').slice(0, REASON_MAX_CHARS);
}
