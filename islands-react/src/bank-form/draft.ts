/** What the person has entered, which the tab keeps for a reload. Without storage nothing is kept. */
import { FIELD_NAMES, type Values } from "./fields";

const KEPT: readonly (keyof Values)[] = ["bank", "bankName", ...FIELD_NAMES];

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

/** Returns the texts of the kept draft. Anything else in it is dropped: another version may have kept it. */
export function keptDraft(session: string): Partial<Values> {
	try {
		const draft = JSON.parse(sessionStorage.getItem(keyOf(session)) ?? "{}");
		const texts = KEPT.map((field) => [field, Object(draft)[field]]);
		return Object.fromEntries(
			texts.filter(([, text]) => typeof text === "string"),
		);
	} catch {
		return {};
	}
}

function keyOf(session: string): string {
	return `vincula-form:${session}`;
}
