/**
 * A visit to Connect: its state, and the work of each status, which starts with the event that leads to
 * it. The state is kept outside of React, because events may arrive faster than React renders, and a
 * success must be handled once.
 */

import type { Failure } from "../generated/failure";
import { ACCOUNTS } from "../generated/routes";
import type { Page } from "../page/page";
import { isSdkLost, type PluggyEvent } from "./pluggy";
import { type ConnectEvent, FIRST, reduce, type State } from "./state";

/** How long a close may take before the page leaves without a response. */
const CLOSED_WITHIN_MS = 2000;

export type Visit = {
	state(): State;
	/** Calls `listener` after each change of the state. Returns a function that unsubscribes it. */
	subscribe(listener: () => void): () => void;
	/**
	 * Requests a connect token, or finishes the oldest success that the browser keeps. Later calls have
	 * no effect.
	 */
	begin(): void;
	/**
	 * Handles an event of Pluggy's window. Keeps a success, or a pending approval, until the widget API
	 * has it, and reports errors and steps. The requests outlive the page.
	 */
	follow(event: PluggyEvent): void;
	/** Retries the failed status. Reloads the page if the SDK is lost, which a new token could not help. */
	retry(): void;
};

export function createVisit(
	{ client, items, replace }: Page,
	session: string,
): Visit {
	let state = FIRST;
	let hasBegun = false;
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
		else if (state.status === "finishing") void finish(state.itemId);
		else if (state.status === "closed") void close();
	}

	async function requestToken(): Promise<void> {
		const answer = await client.post("open_connect", { session });
		if (answer.ok) send({ type: "started", start: answer.data });
		else fail(answer.failure);
	}

	/** Navigates to the accounts once the server knows of the close, or after a while without a response. */
	async function close(): Promise<void> {
		const late = new Promise<undefined>((resolve) =>
			setTimeout(resolve, CLOSED_WITHIN_MS),
		);
		const closed = client.post(
			"close_connect",
			{ session },
			{ keepalive: true },
		);
		const answer = await Promise.race([closed, late]);
		// A success may have come meanwhile.
		if (state.status !== "closed") return;
		if (
			answer?.ok === false &&
			["other_tab", "no_session"].includes(answer.failure.kind)
		)
			fail(answer.failure);
		else replace(ACCOUNTS);
	}

	async function report(itemId: string, message: string): Promise<void> {
		const answer = await items.submitItem(session, itemId, message);
		if (answer.ok && answer.data.item === "accepted") send({ type: "told" });
	}

	async function finish(itemId: string): Promise<void> {
		const answer = await items.submitItem(session, itemId);
		if (!answer.ok) return fail(answer.failure);
		replace(answer.data.to ?? ACCOUNTS);
		send({ type: "done" });
	}

	function fail(failure: Failure): void {
		// Quiet, because a card with the details takes the focus.
		const stays = client.handleFailure(failure, { isQuiet: true });
		if (failure.kind === "no_reply") send({ type: "noResponse" });
		else send({ type: stays ? "stopped" : "left" });
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
			// The item of an earlier visit is submitted, and the bank is not opened again.
			const item = items
				.keptItems(session)
				.find(({ kind }) => kind === "success");
			if (item === undefined) work();
			else send({ type: "succeeded", itemId: item.itemId, pending: false });
		},
		follow(event) {
			if (event.type === "succeeded") {
				const { itemId, pending: waits } = event;
				const at = Date.now();
				items.keepItem(session, { itemId, kind: "success", waits, at });
			} else if (event.type === "error" || event.type === "failed") {
				const { message, itemId, pending } = event;
				if (pending && itemId !== null) {
					items.keepItem(session, { itemId, kind: "pending", at: Date.now() });
					void report(itemId, message);
				} else {
					const input = { session, message, itemId, pending };
					void client.post("report_connect_error", input, { keepalive: true });
				}
			} else if (event.type === "step") {
				const { step, connector } = event;
				const input = { session, step, connector };
				void client.post("report_connect_step", input, { keepalive: true });
			}
			send(event);
		},
		retry() {
			if (isSdkLost()) location.reload();
			else send({ type: "retry" });
		},
	};
}
