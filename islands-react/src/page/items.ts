/**
 * The items of accounts that were linked at the bank. The browser keeps each under the id of its link's
 * session until the widget API has it: nothing else does, so that a server may end at any moment.
 * Opening the link again in this browser submits the items again.
 */
import type { Failure } from "../generated/failure";
import { ACCOUNTS, SUCCESS } from "../generated/routes";
import type { Done, FinishedConnect, ItemOutcome } from "../generated/types";
import type { Answer, Client } from "./client";
import { replace } from "./navigate";

/** How long an item is kept. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** The screens on which Connect opens. */
const OF_CONNECT = ["connect", "update"];

/** Pause between two submissions while a page is open. */
const PAUSE_MS = 30_000;

const PREFIX = "vincula-items:";

/** Pluggy's code for an account that waits for another person's approval. */
export const USER_AUTHORIZATION_PENDING = "USER_AUTHORIZATION_PENDING";

/** `at` is in milliseconds since 1970. */
type KeptItem = {
	itemId: string;
	/** Connect's success, or a pending approval in its error. */
	kind: "success" | "pending";
	/** A success whose account waits for another person's approval. */
	waits?: boolean;
	at: number;
};

/** What became of a session's items: there are none any more, some are kept, or one was refused. */
type ItemsState = "none" | "kept" | "refused";

/**
 * What became of a report of the success: the widget API has everything, or has refused an item; a retry
 * may succeed; or the page reacts to the failure itself.
 */
type ReportResult = "done" | "refused" | "failed" | "left";

export type Items = {
	/** Keeps an item in addition to the others of the session. */
	keepItem(session: string, item: KeptItem): void;
	/** Returns the session's items, the oldest first. */
	keptItems(session: string): KeptItem[];
	/**
	 * Submits an item, and forgets it once the widget API has accepted or refused it. The request
	 * outlives the page. `message` is Connect's, of a pending approval.
	 */
	submitItem(
		session: string,
		itemId: string,
		message?: string,
	): Promise<Answer<Submitted>>;
	/**
	 * Submits the session's items, and then makes the success call unless it `isReported`. The requests
	 * outlive the page.
	 */
	reportSuccess(session: string, isReported: boolean): Promise<ReportResult>;
	/** Submits the items of the page's session from time to time, and shows what became of them. */
	watchItems(session: string): void;
};

/** Only a success leads to another page. */
type Submitted = { item: ItemOutcome } & Partial<Pick<FinishedConnect, "to">>;

export function createItems({ post, handleFailure }: Client): Items {
	/** The items that this document has kept and not submitted yet. */
	const fresh = new Set<string>();
	const submitting = new Map<string, Promise<Answer<Submitted>>>();
	let running: Promise<ItemsState> | undefined;

	function keepItem(session: string, item: KeptItem): void {
		fresh.add(item.itemId);
		write(session, [...others(session, item.itemId), item]);
		show(session);
	}

	function others(session: string, itemId: string): KeptItem[] {
		return read(session).filter((item) => item.itemId !== itemId);
	}

	function submitItem(
		session: string,
		itemId: string,
		message = USER_AUTHORIZATION_PENDING,
	): Promise<Answer<Submitted>> {
		const before = submitting.get(itemId);
		if (before !== undefined) return before;
		const answer = send(session, itemId, message).finally(() =>
			submitting.delete(itemId),
		);
		submitting.set(itemId, answer);
		return answer;
	}

	async function send(
		session: string,
		itemId: string,
		message: string,
	): Promise<Answer<Submitted>> {
		const item = read(session).find((one) => one.itemId === itemId);
		const again = !fresh.delete(itemId);
		const answer: Answer<Submitted> =
			item?.kind === "pending"
				? await post(
						"report_connect_error",
						{ session, message, itemId, pending: true },
						{ keepalive: true },
					)
				: await post(
						"finish_connect",
						{ session, itemId, again, pending: item?.waits ?? false },
						{ keepalive: true },
					);
		const isOver = answer.ok
			? answer.data.item !== "kept"
			: isRefusal(answer.failure);
		if (isOver) write(session, others(session, itemId));
		show(session);
		return answer;
	}

	/**
	 * Submits the session's items in turn, until one fails. A call while another one runs returns the
	 * result of that one.
	 */
	function submitItems(session: string): Promise<ItemsState> {
		running ??= submitAll(session).finally(() => {
			running = undefined;
		});
		return running;
	}

	async function submitAll(session: string): Promise<ItemsState> {
		let isRefused = false;
		let isLinked = false;
		for (const { itemId } of read(session)) {
			const answer = await submitItem(session, itemId);
			if (!answer.ok) {
				// Other failures stay silent: the person has not asked for this submission.
				const { failure } = answer;
				if (
					isRefusal(failure) ||
					["other_tab", "no_session"].includes(failure.kind)
				)
					handleFailure(failure);
				break;
			}
			if (answer.data.item === "kept") break;
			isRefused ||= answer.data.item === "refused";
			isLinked ||=
				answer.data.item === "accepted" && answer.data.to === SUCCESS;
		}
		if (isLinked) await goOn(session);
		if (isRefused) showRefusal();
		if (isRefused) return "refused";
		return read(session).length > 0 ? "kept" : "none";
	}

	/** Makes the success call, unless the success screen does, which a success in Connect leads to. */
	async function goOn(session: string): Promise<void> {
		const { page = "" } = document.body.dataset;
		if (OF_CONNECT.includes(page)) replace(SUCCESS);
		else if (page !== "success") await confirm(session);
	}

	function confirm(session: string): Promise<Answer<Done>> {
		return post("confirm_success", { session }, { keepalive: true });
	}

	async function reportSuccess(
		session: string,
		isReported: boolean,
	): Promise<ReportResult> {
		// Not at the same time: both change the session.
		const items = await submitItems(session);
		if (items === "kept") return "failed";
		if (!isReported) {
			const answer = await confirm(session);
			if (!answer.ok) {
				if (answer.failure.kind === "no_reply") return "failed";
				handleFailure(answer.failure);
				return "left";
			}
		}
		return items === "refused" ? "refused" : "done";
	}

	function showRefusal(): void {
		const notice = document.getElementById("item-refused");
		if (notice) notice.hidden = false;
		// The accounts say it.
		else replace(ACCOUNTS);
	}

	function watchItems(session: string): void {
		forgetOld();
		show(session);
		const submit = (): void => {
			if (read(session).length > 0) void submitItems(session);
		};
		// Their islands begin with the items.
		if (![...OF_CONNECT, "success"].includes(document.body.dataset.page ?? ""))
			submit();
		setInterval(submit, PAUSE_MS);
	}

	return {
		keepItem,
		keptItems: read,
		submitItem,
		reportSuccess,
		watchItems,
	};
}

/** Shows on the page whether items are kept. No-op if the markup is missing. */
function show(session: string): void {
	const isKept = read(session).length > 0;
	const hide = (id: string, hidden: boolean): void => {
		const element = document.getElementById(id);
		if (element) element.hidden = hidden;
	};
	hide("item-kept", !isKept);
	hide("may-close", isKept);
	// Connect has linked an account that the server does not know yet.
	if (isKept) document.getElementById("not-linked")?.remove();
}

/** Whether an item is refused permanently. */
function isRefusal(failure: Failure): boolean {
	return failure.kind === "navigate" && failure.itemRefused === true;
}

function read(session: string): KeptItem[] {
	try {
		const items: KeptItem[] = JSON.parse(
			localStorage.getItem(PREFIX + session) ?? "[]",
		);
		return items.filter(({ at }) => Date.now() - at < KEPT_MS);
	} catch {
		return [];
	}
}

/** Without storage it does nothing. */
function write(session: string, items: KeptItem[]): void {
	try {
		if (items.length === 0) localStorage.removeItem(PREFIX + session);
		else localStorage.setItem(PREFIX + session, JSON.stringify(items));
	} catch {}
}

/** Removes the items of every link that were kept for too long. */
function forgetOld(): void {
	try {
		for (const key of Object.keys(localStorage)) {
			if (!key.startsWith(PREFIX)) continue;
			const session = key.slice(PREFIX.length);
			write(session, read(session));
		}
	} catch {}
}
