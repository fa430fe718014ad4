/**
 * The item of an account that was linked at the bank, until the server has it: without it a lost answer and a reload
 * would send the person to the bank a second time.
 */

import { ENTRY } from '../generated/routes';
import type { Reaction } from '../generated/types';
import { isRecord } from '../wire';
import { keep, kept } from './kept';

const NAME = 'item';

/** `bank`: its name, or empty if the page does not know it; `at`: milliseconds since 1970. */
export type Undelivered = { itemId: string; bank: string; at: number };

/**
 * How a delivery ended. `failed`: no answer, so it can be repeated. `left`: the page follows the server's refusal, or
 * another session has stopped it.
 */
export type Delivery = 'none' | 'delivered' | 'failed' | 'left';

export function keepItem(session: string, item: Undelivered): void {
  keep(NAME, session, item);
}

export function undelivered(session: string): Undelivered | null {
  const item = kept(NAME, session);
  return isRecord(item) && typeof item.itemId === 'string' ? (item as Undelivered) : null;
}

/**
 * Forgets the item once the server has it or refuses it for good. Without an answer, without its session, or stopped by
 * another one, the server has not seen it.
 */
export function forgetIfSettled(session: string, outcome: { ok: true } | { ok: false; failure: Reaction }): void {
  if (!outcome.ok) {
    const { failure } = outcome;
    if (failure.kind === 'no_reply' || failure.kind === 'other_tab') return;
    if (failure.kind === 'navigate' && failure.to === ENTRY) return;
  }
  keep(NAME, session, undefined);
}

let delivery: Promise<Delivery> | undefined;

/** Delivers the session's undelivered item in the background, once at a time. */
export function deliver(session: string): Promise<Delivery> {
  delivery ??= attempt(session).finally(() => {
    delivery = undefined;
  });
  return delivery;
}

async function attempt(session: string): Promise<Delivery> {
  const item = undelivered(session);
  if (item === null) return 'none';
  const answer = await window.vincula.post('finish_connect', { session, itemId: item.itemId }, true);
  forgetIfSettled(session, answer);
  if (answer.ok) return 'delivered';
  // Nobody has asked for it: the failure is shown where the person waits for it.
  if (answer.failure.kind === 'no_reply') return 'failed';
  window.vincula.handleFailure(answer.failure);
  return 'left';
}
