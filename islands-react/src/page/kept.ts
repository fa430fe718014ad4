/**
 * What the tab keeps of a session beyond a reload: what was typed, and the item of an account that was linked at the
 * bank, until the server has it. Without that item a lost answer and a reload would send the person to the bank again.
 */
import type { Next } from "../generated/types";
import type { Answer, Client } from "./client";

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
		return JSON.parse(sessionStorage.getItem(keyOf(name, session)) ?? "null");
	} catch {
		return null;
	}
}

function keyOf(name: string, session: string): string {
	return `vincula-${name}:${session}`;
}

/** The item that one page keeps until the server has it. */
export type Items = {
	keepItem(session: string, item: Undelivered): void;
	undelivered(session: string): Undelivered | null;
	/**
	 * Gives the server an item, and forgets it once the server has it or says that it never will take it. Outlives the page.
	 */
	finishConnect(session: string, itemId: string): Promise<Answer<Next>>;
	/**
	 * Delivers the session's undelivered item in the background, once at a time. Returns whether the server has taken it. If
	 * it is refused for good, the page leads to the reason; otherwise the delivery can be repeated.
	 */
	deliver(session: string): Promise<boolean>;
	forget(session: string): void;
};

export function createItems({ post, handleFailure }: Client): Items {
	let delivery: Promise<boolean> | undefined;

	const forget = (session: string): void => keep("item", session, undefined);
	const undelivered = (session: string): Undelivered | null =>
		kept("item", session);

	async function finishConnect(
		session: string,
		itemId: string,
	): Promise<Answer<Next>> {
		const answer = await post("finish_connect", { session, itemId }, true);
		if (answer.ok || answer.failure.itemRefused) forget(session);
		return answer;
	}

	function deliver(session: string): Promise<boolean> {
		delivery ??= attempt(session).finally(() => {
			delivery = undefined;
		});
		return delivery;
	}

	async function attempt(session: string): Promise<boolean> {
		const item = undelivered(session);
		if (item === null) return false;
		const answer = await finishConnect(session, item.itemId);
		if (answer.ok) return true;
		// Nobody has asked for it: while the tab keeps the item, a failure is shown where the person waits for an answer.
		const { kind, itemRefused } = answer.failure;
		if (itemRefused || kind === "other_tab") handleFailure(answer.failure);
		return false;
	}

	return {
		keepItem: (session, item) => keep("item", session, item),
		undelivered,
		finishConnect,
		deliver,
		forget,
	};
}
