/**
 * What a tab keeps of a session across reloads: typed text, and the items of accounts that were linked
 * at the bank, until the server has them. Without it, a lost response and a reload would send the person
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

/** The items that a page keeps until the server has them. */
export type Items = {
	/** Keeps an item beside those of the session that are kept already. */
	keepItem(session: string, item: Undelivered): void;
	/** Returns the session's items, the oldest first. */
	undelivered(session: string): Undelivered[];
	/**
	 * Sends an item to the server, and forgets this item once the server has accepted it or refused it
	 * for good. The request outlives the page.
	 */
	finishConnect(session: string, itemId: string): Promise<Answer<Next>>;
	/**
	 * Delivers the session's undelivered items in the background, until one fails. Concurrent calls
	 * share one delivery. Returns whether the server accepted an item. If the server refuses one for
	 * good, the page navigates to the reason; after any other failure the call can be retried.
	 */
	deliver(session: string): Promise<boolean>;
	/** Forgets all items of the session. */
	forget(session: string): void;
};

export function createItems({ post, handleFailure }: Client): Items {
	let delivery: Promise<boolean> | undefined;

	const undelivered = (session: string): Undelivered[] =>
		kept("items", session) ?? [];
	const forget = (session: string): void => keep("items", session, undefined);

	function keepItem(session: string, item: Undelivered): void {
		keep("items", session, [...others(session, item.itemId), item]);
	}

	function forgetItem(session: string, itemId: string): void {
		const items = others(session, itemId);
		keep("items", session, items.length > 0 ? items : undefined);
	}

	function others(session: string, itemId: string): Undelivered[] {
		return undelivered(session).filter((item) => item.itemId !== itemId);
	}

	async function finishConnect(
		session: string,
		itemId: string,
	): Promise<Answer<Next>> {
		const input = { session, itemId };
		const answer = await post("finish_connect", input, { keepalive: true });
		if (answer.ok || answer.failure.itemRefused) forgetItem(session, itemId);
		return answer;
	}

	function deliver(session: string): Promise<boolean> {
		delivery ??= attempt(session).finally(() => {
			delivery = undefined;
		});
		return delivery;
	}

	async function attempt(session: string): Promise<boolean> {
		let isAccepted = false;
		for (const item of undelivered(session)) {
			const answer = await finishConnect(session, item.itemId);
			if (!answer.ok) {
				// Other failures stay silent: the person has not asked for this delivery, and the tab still
				// keeps the item.
				const { kind, itemRefused } = answer.failure;
				if (itemRefused || kind === "other_tab") handleFailure(answer.failure);
				break;
			}
			isAccepted = true;
		}
		return isAccepted;
	}

	return { keepItem, undelivered, finishConnect, deliver, forget };
}
