/**
 * What the tab keeps of a session beyond a reload: what was typed, and the item of an account that was linked at the
 * bank, until the server has it. Without that item a lost answer and a reload would send the person to the bank again.
 */
import { ENTRY } from '../generated/routes';

/** `bank`: its name, or empty if the page does not know it; `at`: milliseconds since 1970. */
export type Undelivered = { itemId: string; bank: string; at: number };

/** Keeps a value in the place of an earlier one; `undefined` removes it. A browser that keeps nothing is no failure. */
export function keep(name: string, session: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(keyOf(name, session));
    else sessionStorage.setItem(keyOf(name, session), JSON.stringify(value));
  } catch {}
}

export function kept<T>(name: string, session: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(name, session)) ?? 'null');
  } catch {
    return null;
  }
}

function keyOf(name: string, session: string): string {
  return `vincula-${name}:${session}`;
}

/** Without an item it forgets the one that is kept: after a cancellation of everything the server refuses it. */
export function keepItem(session: string, item?: Undelivered): void {
  keep('item', session, item);
}

export function undelivered(session: string): Undelivered | null {
  return kept('item', session);
}

/** Gives the server an item, and forgets it once the server has it or refuses it for good. Outlives the page. */
export async function finishConnect(session: string, itemId: string) {
  const answer = await window.vincula.post('finish_connect', { session, itemId }, true);
  // Without an answer, without its session, or stopped by another one, the server has not seen it.
  if (answer.ok || (answer.failure.kind === 'navigate' && answer.failure.to !== ENTRY)) keepItem(session);
  return answer;
}

let delivery: Promise<boolean> | undefined;

/**
 * Delivers the session's undelivered item in the background, once at a time. Returns whether the server has taken it: a
 * refusal is followed, and without an answer it can be repeated.
 */
export function deliver(session: string): Promise<boolean> {
  delivery ??= attempt(session).finally(() => {
    delivery = undefined;
  });
  return delivery;
}

async function attempt(session: string): Promise<boolean> {
  const item = undelivered(session);
  if (item === null) return false;
  const answer = await finishConnect(session, item.itemId);
  // Nobody has asked for it: a missing answer is shown where the person waits for it.
  if (!answer.ok && answer.failure.kind !== 'no_reply') window.vincula.handleFailure(answer.failure);
  return answer.ok;
}
