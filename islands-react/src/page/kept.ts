/**
 * What a tab keeps of a session across reloads: typed text, and the item of an account that was linked
 * at the bank, until the server has it. Without it, a lost response and a reload would send the person
 * to the bank again.
 */
import type { Next } from "../generated/types";
import type { Answer, Client } from "./client";

/** `bank` is the bank's name, or empty if unknown. `at` is in milliseconds since 1970. */
type Undelivered = { itemId: string; bank: string; at: number };

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

/** The item that a page keeps until the server has it. */
export type Items = {
	keepItem(session: string, item: Undelivered): void;
	undelivered(session: string): Undelivered | null;
	/**
	 * Sends an item to the server, and forgets it once the server has accepted it or refused it for
	 * good. The request outlives the page.
	 */
	finishConnect(session: string, itemId: string): Promise<Answer<Next>>;
	/**
	 * Delivers the session's undelivered item in the background. Concurrent calls share one delivery.
	 * Returns whether the server accepted the item. If the server refuses it for good, the page
	 * navigates to the reason; after any other failure the call can be retried.
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
		const input = { session, itemId };
		const answer = await post("finish_connect", input, { keepalive: true });
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
		// Other failures stay silent: the person has not asked for this delivery, and the tab still keeps
		// the item.
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
