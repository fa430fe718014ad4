/** Text that was typed, which a tab keeps across reloads. */

/** Stores a value under the name; `undefined` removes it. Without storage it does nothing. */
export function keep(name: string, session: string, value: unknown): void {
	try {
		if (value === undefined) sessionStorage.removeItem(keyOf(name, session));
		else sessionStorage.setItem(keyOf(name, session), JSON.stringify(value));
	} catch {}
}

/** Returns the stored value, or null if there is none or it is unreadable. */
export function kept<T>(name: string, session: string): T | null {
	try {
		return JSON.parse(sessionStorage.getItem(keyOf(name, session)) ?? "null");
	} catch {
		return null;
	}
}

function keyOf(name: string, session: string): string {
	return `vincula-${name}:${session}`;
}
