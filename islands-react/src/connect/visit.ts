/**
 * A visit to Connect: its state, and the work of each status, which starts with the event that leads to
 * it. The state is kept outside of React, because events may arrive faster than React renders, and a
 * success must be handled once.
 */

import type { Failure } from "../generated/failure";
import { ACCOUNTS } from "../generated/routes";
import type { ItemKind } from "../generated/types";
import {
	isOfStoppedPage,
	isRefusal,
	type KeptItem,
	PAUSE_MS,
} from "../page/items";
import type { Page } from "../page/page";
import { isSdkLost, type PluggyEvent } from "./pluggy";
import { type ConnectEvent, FIRST, reduce, type State } from "./state";

/** How long a close may take before the page leaves without a response. */
const CLOSED_WITHIN_MS = 2000;

type Linked = Extract<State, { status: "finishing" | "confirmFailed" }>;

/** An event of Pluggy's window that names an item. */
type Reported = { itemId: string; pending: boolean; bank: string | null };

export type Visit = {
	state(): State;
	/** Calls `listener` after each change of the state. Returns a function that unsubscribes it. */
	subscribe(listener: () => void): () => void;
	/**
	 * Finishes the items that an earlier page left unanswered. Then requests a connect token, unless one
	 * of them is a success, which leads on as a new one would. Later calls have no effect.
	 */
	begin(): void;
	/**
	 * Handles an event of Pluggy's window. Keeps a success, or a pending approval, until the widget API
	 * has it, and reports other errors by requests that outlive the page.
	 */
	follow(event: PluggyEvent): void;
	/** Retries the failed status. Reloads the page if the SDK is lost, which a new token could not help. */
	retry(): void;
};

/** `bank` is the name of the chosen bank, or empty. */
export function createVisit(
	{ client, items, replace }: Page,
	session: string,
	bank: string,
): Visit {
	let state = FIRST;
	let hasBegun = false;
	let isFinishing = false;
	/** The link that Connect updates, or empty. */
	let renews = "";
	/** The last request that records a pending approval in the session. */
	let recording: Promise<unknown> = Promise.resolve();
	const listeners = new Set<() => void>();

	function send(event: ConnectEvent): void {
		const before = state;
		state = reduce(state, event);
		if (state === before) return;
		for (const listener of listeners) listener();
		work();
	}

	function work(): void {
		if (state.status === "requestingToken") void requestToken();
		else if (state.status === "finishing") void finish(state);
		else if (state.status === "confirmFailed") finishLater(state);
		else if (state.status === "closed") void close();
	}

	async function start(): Promise<void> {
		const earlier = items.unanswered(session);
		const success = earlier.filter(({ kind }) => kind === "success").at(-1);
		// One after another, because each changes the session.
		for (const item of earlier) {
			if (item !== success) await items.finish(session, item);
		}
		if (earlier.length > 0) void items.submit(session);
		if (success === undefined) work();
		else send({ type: "linked", item: success });
	}

	async function requestToken(): Promise<void> {
		const answer = await client.post("open_connect", { session });
		if (!answer.ok) return fail(answer.failure);
		renews = answer.data.updateItem ?? "";
		send({ type: "started", start: answer.data });
	}

	/** Navigates to the accounts once the server knows of the close, or after a while without a response. */
	async function close(): Promise<void> {
		const late = new Promise<undefined>((resolve) =>
			setTimeout(resolve, CLOSED_WITHIN_MS),
		);
		const closed = recording.then(() =>
			client.post("close_connect", { session }, { keepalive: true }),
		);
		const answer = await Promise.race([closed, late]);
		// A success may have come meanwhile.
		if (state.status !== "closed") return;
		if (answer?.ok === false && isOfStoppedPage(answer.failure))
			fail(answer.failure);
		else watchStalling(replace(ACCOUNTS));
	}

	function keep(kind: ItemKind, reported: Reported): KeptItem {
		const item: KeptItem = {
			itemId: reported.itemId,
			kind,
			bank: reported.bank ?? bank,
			waits: reported.pending,
			renews,
			at: Date.now(),
			state: "new",
		};
		items.keep(session, item);
		return item;
	}

	/** Records a pending approval in the session, until the server has answered, and then submits it. */
	async function record(item: KeptItem): Promise<void> {
		const recorded = items.finish(session, item);
		recording = recorded;
		const answer = await recorded;
		if (answer.ok) {
			if (answer.data.item === "kept") await items.submit(session);
			const isKept = items.find(session, item.itemId) !== undefined;
			send({ type: isKept ? "untold" : "told" });
		} else if (isRefusal(answer.status) || isOfStoppedPage(answer.failure)) {
			fail(answer.failure);
		} else {
			send({ type: "untold" });
			setTimeout(() => recordLater(item), PAUSE_MS);
		}
	}

	/** Records it again, unless a success of the same item has replaced it, or another tab has finished it. */
	function recordLater(item: KeptItem): void {
		const current = items.find(session, item.itemId);
		if (current?.kind === item.kind) void record(item);
	}

	async function finish({ item, to }: Linked): Promise<void> {
		// A retry of the person takes the answer of the page's own one.
		if (isFinishing) return;
		isFinishing = true;
		if (to === undefined) await confirm(item);
		else await deliver(item, to);
		isFinishing = false;
	}

	async function confirm(item: KeptItem): Promise<void> {
		const answer = await items.finish(session, item);
		if (answer.ok) goOn(item, answer.data.to ?? ACCOUNTS);
		else fail(answer.failure);
	}

	async function deliver(item: KeptItem, to: string): Promise<void> {
		await items.submit(session);
		goOn(item, to);
	}

	/** Leaves the page, unless only this page knows what became of the item. */
	function goOn({ itemId }: KeptItem, to: string): void {
		const item = items.find(session, itemId);
		if (item === undefined || items.isStored()) {
			watchStalling(replace(to));
			send({ type: "done" });
		} else if (item.state === "refused") {
			send({ type: "refused" });
		} else {
			send({ type: "unsaved", to });
		}
	}

	/** Retries by itself if the card is still shown after a pause. */
	function finishLater(shown: Linked): void {
		setTimeout(() => {
			if (state === shown) void finish(shown);
		}, PAUSE_MS);
	}

	function fail(failure: Failure): void {
		// The page has retried by itself, and the card is there already.
		if (failure === "no_reply" && state.status === "confirmFailed") {
			send({ type: "noResponse" });
			return;
		}
		const handled = client.handleFailure(failure);
		if (failure === "no_reply") {
			send({ type: "noResponse" });
		} else if (client.stopped.aborted) {
			send({ type: "stopped" });
		} else {
			watchStalling(handled);
			send({ type: "left" });
		}
	}

	function watchStalling(navigation: Promise<void>): void {
		void navigation.then(() => send({ type: "stalled" }));
	}

	return {
		state: () => state,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		begin() {
			if (hasBegun) return;
			hasBegun = true;
			void start();
		},
		follow(event) {
			if (event.type === "succeeded") {
				send({ type: "linked", item: keep("success", event) });
				return;
			}
			if (event.type === "error" || event.type === "failed") {
				const { message, itemId, pending } = event;
				if (pending && itemId !== null) {
					void record(keep("pending", { ...event, itemId }));
				} else {
					const input = { session, message, itemId };
					void client.post("report_connect_error", input, { keepalive: true });
					if (pending) send({ type: "untold" });
				}
			}
			send(event);
		},
		retry() {
			if (isSdkLost()) location.reload();
			else send({ type: "retry" });
		},
	};
}
