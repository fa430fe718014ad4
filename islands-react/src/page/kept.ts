/** What the tab keeps of a session beyond a reload, as JSON. A browser that keeps nothing is no failure. */

/** Keeps a value in the place of an earlier one; `undefined` removes it. */
export function keep(name: string, session: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(keyOf(name, session));
    else sessionStorage.setItem(keyOf(name, session), JSON.stringify(value));
  } catch {}
}

/** The value kept under a name for a session; `undefined` if there is none. */
export function kept(name: string, session: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(name, session)) ?? '');
  } catch {}
  return undefined;
}

function keyOf(name: string, session: string): string {
  return `vincula-${name}:${session}`;
}
