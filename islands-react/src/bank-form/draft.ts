/** What the person has entered, which the tab keeps for a reload. Without storage nothing is kept. */
import type { Values } from "./fields";

/** Undefined values are not kept. */
type Draft = { [Field in keyof Values]?: Values[Field] | undefined };

export function keepDraft(session: string, draft: Draft): void {
	try {
		sessionStorage.setItem(keyOf(session), JSON.stringify(draft));
	} catch {}
}

export function forgetDraft(session: string): void {
	try {
		sessionStorage.removeItem(keyOf(session));
	} catch {}
}

/** Returns the kept draft, or null if there is none or it is unreadable. */
export function keptDraft(session: string): Partial<Values> | null {
	try {
		return JSON.parse(sessionStorage.getItem(keyOf(session)) ?? "null");
	} catch {
		return null;
	}
}

function keyOf(session: string): string {
	return `vincula-form:${session}`;
}
