/** The page's context blob (design D4). */
import type { Context } from './generated/types';
import { isContext } from './wire';

/** @throws when the page has no readable context; the island's error boundary shows it. */
export function readContext(): Context {
  const value: unknown = JSON.parse(document.getElementById('vincula-context')?.textContent ?? 'null');
  if (!isContext(value)) throw new Error('context unreadable');
  return value;
}
