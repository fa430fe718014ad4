/**
 * What a tab keeps of a session across reloads: typed text, and the items of accounts that were linked
 * at the bank, until the server has them. Otherwise, a lost response and a reload would send the person
 * to the bank again.
 */
import type { Linking, Onward } from "../generated/types";
import type { Answer, Client } from "./client";

/** `bank` is the bank's name, or empty if unknown. `at` is in milliseconds since 1970. */
type KeptItem = { itemId: string; bank: string; at: number };

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

/** Pause after a failed submission. The list of accounts requests one every few seconds. */
const PAUSE_MS = 30_000;

/** The items that a page keeps until the server has them. */
export type Items = {
	/** Keeps an item in addition to the others of the session. */
	keepItem(session: string, item: KeptItem): void;
	/** Returns the session's items, the oldest first. */
	keptItems(session: string): KeptItem[];
	/** Returns them as accounts that wait for their confirmation. */
	keptLinkings(session: string): Linking[];
	/**
	 * Submits an item to the server, and forgets it once the server has accepted it or refused it
	 * permanently. The request outlives the page.
	 */
	finishConnect(session: string, itemId: string): Promise<Answer<Onward>>;
	/**
	 * Submits the session's items to the server in the background, until one fails. No-op while another
	 * call does this, so that only one caller confirms the accepted items. Returns whether this call had
	 * an item accepted. If the server refuses one permanently, the page navigates to the reason. After
	 * any other failure nothing is sent for 30 seconds; then the call can be retried.
	 */
	submitItems(session: string): Promise<boolean>;
	/** Forgets all items of the session. */
	forget(session: string): void;
};

export function createItems({ post, handleFailure }: Client): Items {
	let isSubmitting = false;
	let pausedUntil = 0;

	const keptItems = (session: string): KeptItem[] =>
		kept("items", session) ?? [];
	const keptLinkings = (session: string): Linking[] =>
		keptItems(session).map(({ bank, at }) => ({
			row: { brand: "", bank, state: "confirming", approveBy: "" },
			linkedAt: "",
			ageSecs: Math.max(0, Math.floor((Date.now() - at) / 1000)),
		}));
	const forget = (session: string): void => keep("items", session, undefined);

	function keepItem(session: string, item: KeptItem): void {
		keep("items", session, [...others(session, item.itemId), item]);
	}

	function forgetItem(session: string, itemId: string): void {
		const items = others(session, itemId);
		keep("items", session, items.length > 0 ? items : undefined);
	}

	function others(session: string, itemId: string): KeptItem[] {
		return keptItems(session).filter((item) => item.itemId !== itemId);
	}

	async function finishConnect(
		session: string,
		itemId: string,
	): Promise<Answer<Onward>> {
		const { bank = "" } =
			keptItems(session).find((item) => item.itemId === itemId) ?? {};
		const input = { session, itemId, bankName: bank };
		const answer = await post("finish_connect", input, { keepalive: true });
		if (answer.ok || answer.failure.itemRefused) forgetItem(session, itemId);
		return answer;
	}

	async function submitItems(session: string): Promise<boolean> {
		if (isSubmitting || Date.now() < pausedUntil) return false;
		isSubmitting = true;
		try {
			return await attempt(session);
		} finally {
			isSubmitting = false;
		}
	}

	async function attempt(session: string): Promise<boolean> {
		let isAccepted = false;
		for (const item of keptItems(session)) {
			const answer = await finishConnect(session, item.itemId);
			if (!answer.ok) {
				// Other failures stay silent: the person has not asked for this submission, and the tab still
				// keeps the item.
				const { kind, itemRefused } = answer.failure;
				if (itemRefused || kind === "other_tab") handleFailure(answer.failure);
				pausedUntil = Date.now() + PAUSE_MS;
				break;
			}
			isAccepted = true;
		}
		return isAccepted;
	}

	return {
		keepItem,
		keptItems,
		keptLinkings,
		finishConnect,
		submitItems,
		forget,
	};
}
