/**
 * The items that Connect has reported. The page holds each until the widget API has it: nothing else does,
 * so that a server may end at any moment. `localStorage` has a copy for other tabs and later pages, under
 * the client, so that a new link of the same client delivers them.
 */
import type { Failure } from "../generated/failure";
import type {
	FinishedConnect,
	ItemInput,
	ItemKind,
	ItemOutcome,
} from "../generated/types";
import { focusTitle } from "./announce";
import type { Answer, Client } from "./client";
import { replace } from "./navigate";

/** How long the pages say that an item was refused. */
const REFUSED_MS = 24 * 60 * 60 * 1000;

/** How many items of one client are kept. There is no limit of time, because a clock may be wrong. */
const MOST = 16;

/** Pause between two rounds of the background. */
export const PAUSE_MS = 30_000;

/** When a page that has loaded says again what it has shown from the start. */
export const SAID_AFTER_MS = 1000;

/** How long a page waits for the items that are finished first. The server responds within 10 s. */
const FIRST_WITHIN_MS = 20_000;

const PREFIX = "vincula-items:";

/** The length of the client's part at the beginning of a session's id. */
const CLIENT_CHARS = 16;

const KINDS: readonly ItemKind[] = ["success", "pending"];
const STATES = ["new", "sent", "kept", "refused"] as const;

export type KeptItem = {
	itemId: string;
	/** Connect's success, or a pending approval in its error. */
	kind: ItemKind;
	/** The bank's name, or empty. */
	bank: string;
	/** Another person has to approve the account. */
	waits: boolean;
	/** The link that Connect was to update, or empty. */
	renews: string;
	/** When Connect reported the item or, of a refused one, when it was refused: milliseconds since 1970. */
	at: number;
	/**
	 * `new`: not sent. `sent`: sent, without an answer yet. `kept`: the server has answered that the widget
	 * API does not have it yet. `refused`: the widget API refuses it.
	 */
	state: (typeof STATES)[number];
};

export type Items = {
	/** Keeps an item in addition to the client's others. */
	keep(session: string, item: KeptItem): void;
	/** Returns the item with its current state, or undefined once the widget API has it. */
	find(session: string, itemId: string): KeptItem | undefined;
	/** Returns the items that the server has not answered, the oldest first. */
	unanswered(session: string): KeptItem[];
	/** Returns whether another page would find what this page holds. */
	isStored(): boolean;
	/**
	 * Finishes a linking that the client waits for, and records it in the session. The request ends with
	 * the page, because a late response would set the cookie of a session that has changed since.
	 */
	finish(
		session: string,
		item: KeptItem,
		signal?: AbortSignal,
	): Promise<Answer<FinishedConnect>>;
	/**
	 * Submits the items that the widget API does not have yet, one after another, in the background: it
	 * changes no session, never navigates and handles no failure. During a round it returns that round.
	 */
	submit(session: string): Promise<void>;
	/**
	 * Starts the items' work on a page: finishes what was left unanswered, unless the page is Connect's,
	 * which does it itself; then submits from time to time, and shows the state of the items.
	 */
	watch(session: string): void;
};

export function createItems({ post, stopped }: Client): Items {
	/** The items of the page's client, the oldest first. */
	let held: KeptItem[] = [];
	/** Whether the store has a copy of them. Then what is gone from it was finished by another tab. */
	let isCopied = true;
	/** What this page has forgotten, also if the store still has it. */
	const forgotten = new Set<string>();
	let isFinishing = false;
	let round: Promise<void> | undefined;

	function read(session: string): KeptItem[] {
		const stored = load(keyOf(session));
		const isUnknown = ({ itemId }: KeptItem): boolean =>
			!forgotten.has(itemId) && held.every((item) => item.itemId !== itemId);
		if (stored !== undefined)
			held = isCopied ? stored : [...stored.filter(isUnknown), ...held];
		return held.filter(isFresh);
	}

	function write(session: string, items: KeptItem[]): void {
		held = items.sort((one, other) => one.at - other.at).slice(-MOST);
		isCopied = save(keyOf(session), held);
		show(session);
	}

	function others(session: string, itemId: string): KeptItem[] {
		return read(session).filter((item) => item.itemId !== itemId);
	}

	function find(session: string, itemId: string): KeptItem | undefined {
		return read(session).find((item) => item.itemId === itemId);
	}

	function unanswered(session: string): KeptItem[] {
		return read(session).filter(isUnanswered);
	}

	function keep(session: string, item: KeptItem): void {
		forgotten.delete(item.itemId);
		write(session, [...others(session, item.itemId), item]);
	}

	function forget(session: string, itemId: string): void {
		forgotten.add(itemId);
		write(session, others(session, itemId));
	}

	/** Records an answer, unless a success has replaced the pending approval of the same item meanwhile. */
	function settle(session: string, item: KeptItem, now: ItemOutcome): void {
		const current = find(session, item.itemId) ?? item;
		if (current.kind !== item.kind) return;
		if (now === "accepted") forget(session, item.itemId);
		else if (now === "refused")
			keep(session, { ...item, state: now, at: Date.now() });
		else keep(session, { ...item, state: now });
	}

	async function finish(
		session: string,
		item: KeptItem,
		signal?: AbortSignal,
	): Promise<Answer<FinishedConnect>> {
		// One that is gone was sent by another tab.
		const again = find(session, item.itemId)?.state !== "new";
		keep(session, { ...item, state: "sent" });
		const input = inputOf(session, item, again);
		const answer = await post("finish_connect", input, signal && { signal });
		if (answer.ok) settle(session, item, answer.data.item);
		// Its error screen says so.
		else if (isRefusal(answer.status)) settle(session, item, "accepted");
		return answer;
	}

	function submit(session: string): Promise<void> {
		round ??= submitAll(session).finally(() => {
			round = undefined;
		});
		return round;
	}

	async function submitAll(session: string): Promise<void> {
		const tried = new Set<string>();
		const next = () =>
			read(session).find(
				(item) => isForBackground(item) && !tried.has(item.itemId),
			);
		for (let item = next(); item !== undefined; item = next()) {
			tried.add(item.itemId);
			const answer = await post("submit_item", inputOf(session, item, true), {
				keepalive: true,
			});
			if (answer.ok) settle(session, item, answer.data.item);
			else if (isOfStoppedPage(answer.failure)) return;
		}
	}

	/** Finishes what a tab or a server that has ended left unanswered, before the client does anything else. */
	async function finishFirst(session: string): Promise<void> {
		const items = unanswered(session);
		if (items.length === 0) return;
		const setFinishing = (finishes: boolean): void => {
			isFinishing = finishes;
			// All but the live line, which says so.
			for (const part of document.querySelectorAll("main > :not(#items)"))
				part.toggleAttribute("inert", finishes);
			show(session);
		};
		setFinishing(true);
		const limit = new AbortController();
		const timer = setTimeout(() => limit.abort(), FIRST_WITHIN_MS);
		let to: string | null = null;
		for (const { itemId } of items) {
			// Another tab may have changed it meanwhile.
			const item = find(session, itemId);
			if (item === undefined || !isUnanswered(item)) continue;
			const answer = await finish(session, item, limit.signal);
			if (answer.ok && item.kind === "success") to = answer.data.to ?? to;
			// No error screen says so here.
			if (!answer.ok && isRefusal(answer.status))
				settle(session, item, "refused");
		}
		clearTimeout(timer);
		// Without the copy, the next page would finish the item again and lead to itself.
		if (to !== null && isCopied) await replace(to);
		setFinishing(false);
		focusTitle();
	}

	/** Shows the state of the items. No-op if the markup is missing. */
	function show(session: string): void {
		const items = read(session);
		const isWaiting = items.some(({ state }) => state !== "refused");
		const state = stateOf(items);
		const { dataset } = document.body;
		if (isWaiting) document.getElementById("not-linked")?.remove();
		const mayClose = document.getElementById("may-close");
		if (mayClose) mayClose.hidden = isWaiting || isFinishing;
		if (dataset.items === state) return;
		dataset.items = state;
		const line = document.getElementById("items");
		if (line) line.textContent = line.dataset[state] ?? "";
		window.dispatchEvent(new Event("vincula-items"));
	}

	function stateOf(
		items: KeptItem[],
	): "finishing" | "refused" | "kept" | "none" {
		if (isFinishing) return "finishing";
		// Connect's page itself shows what becomes of its item.
		if (isConnect()) return "none";
		if (items.some(({ state }) => state === "refused")) return "refused";
		return items.length > 0 ? "kept" : "none";
	}

	/** Says in the dialog of a stopped page that the account is connected: nothing else on the page can be read. */
	function showLinked(session: string): void {
		const text = document.getElementById("stopped-text");
		const isLinked = read(session).some(({ kind }) => kind === "success");
		if (text && isLinked)
			text.textContent = `${text.dataset.linked} ${text.textContent}`;
	}

	/** Screen readers do not announce the text that a page has loaded with, but they do if it is replaced. */
	function sayAgain(): void {
		const line = document.getElementById("items");
		const shown = line?.firstChild;
		if (!line || !shown) return;
		setTimeout(() => {
			if (line.firstChild === shown)
				line.replaceChildren(line.textContent ?? "");
		}, SAID_AFTER_MS);
	}

	function watch(session: string): void {
		show(session);
		sayAgain();
		stopped.addEventListener("abort", () => showLinked(session));
		addEventListener("storage", () => show(session));
		const submitKept = (): void => void submit(session);
		setInterval(submitKept, PAUSE_MS);
		if (isConnect()) submitKept();
		else void finishFirst(session).then(submitKept);
	}

	return {
		keep,
		find,
		unanswered,
		isStored: () => isCopied,
		finish,
		submit,
		watch,
	};
}

/** Returns whether the HTTP status of a failure is the widget API's final refusal of the item. */
export function isRefusal(status: number | undefined): boolean {
	return status === 410 || status === 422;
}

/** Returns whether a failure means that every later action of this page fails as well. */
export function isOfStoppedPage(failure: Failure): boolean {
	return failure === "other_tab" || failure === "no_session";
}

/** Returns whether the page is one on which Connect opens. */
function isConnect(): boolean {
	return ["connect", "update"].includes(document.body.dataset.page ?? "");
}

/**
 * Returns whether a page submits an item in the background. One without an answer is finished first by
 * pages that open; if that has failed, its delivery matters more than a record of it in the session.
 */
function isForBackground({ state }: KeptItem): boolean {
	return state === "kept" || (state !== "refused" && !isConnect());
}

function isUnanswered({ state }: KeptItem): boolean {
	return state === "new" || state === "sent";
}

function isFresh({ at, state }: KeptItem): boolean {
	return state !== "refused" || Date.now() - at < REFUSED_MS;
}

function inputOf(session: string, item: KeptItem, again: boolean): ItemInput {
	const { itemId, kind, bank, waits, renews, at } = item;
	const ageSecs = Math.max(0, Math.floor((Date.now() - at) / 1000));
	return { session, itemId, kind, bank, waits, renews, ageSecs, again };
}

function keyOf(session: string): string {
	return PREFIX + session.slice(0, CLIENT_CHARS);
}

/** Returns the stored items, without entries of another shape; undefined if the store does not work. */
function load(key: string): KeptItem[] | undefined {
	try {
		const entries: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
		return Array.isArray(entries) ? entries.filter(isItem) : undefined;
	} catch {
		return undefined;
	}
}

function isItem(entry: unknown): entry is KeptItem {
	const { itemId, kind, bank, waits, renews, at, state } = Object(entry);
	return (
		[itemId, bank, renews].every((text) => typeof text === "string") &&
		typeof waits === "boolean" &&
		typeof at === "number" &&
		KINDS.includes(kind) &&
		STATES.includes(state)
	);
}

/** Stores items, and returns whether they can be read back. */
function save(key: string, items: KeptItem[]): boolean {
	const text = JSON.stringify(items);
	try {
		if (items.length === 0) localStorage.removeItem(key);
		else localStorage.setItem(key, text);
		return (localStorage.getItem(key) ?? "[]") === text;
	} catch {
		return false;
	}
}
