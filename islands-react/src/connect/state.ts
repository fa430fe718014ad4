/**
 * The state machine of a visit to Connect, as a pure function. `visit.ts` does the work of each status.
 *
 * A success always counts, even if the person has closed the widget or opened another one, because the
 * bank account is linked.
 */
import type { ConnectStart } from "../generated/types";
import type { PluggyEvent } from "./pluggy";

export type State =
	/**
	 * `closed`: without a success; navigates to the accounts. `done`: after a success, and `leaving`:
	 * after a failure; both navigate to the server's target. `stopped`: another tab has replaced the
	 * session, or it has ended.
	 */
	| {
			status:
				| "requestingToken"
				| "failed"
				| "closed"
				| "done"
				| "leaving"
				| "stopped";
	  }
	/**
	 * The widget is opening (`ready: false`) or in use. `told`: the widget API knows of an account that
	 * waits for an approval.
	 */
	| { status: "widget"; start: ConnectStart; ready: boolean; told: boolean }
	| { status: "finishing" | "confirmFailed"; itemId: string };

export type ConnectEvent =
	| PluggyEvent
	| { type: "started"; start: ConnectStart }
	| { type: "noResponse" | "retry" | "told" | "done" | "left" | "stopped" };

export const FIRST: State = { status: "requestingToken" };

/** Returns the next state. An event that does not apply leaves the state unchanged. */
export function reduce(state: State, event: ConnectEvent): State {
	if (event.type === "done" || event.type === "stopped")
		return { status: event.type };
	if (event.type === "left") return { status: "leaving" };
	if (event.type === "succeeded") {
		// The tab keeps every item. In these states another one is being handled, or the page is being
		// left, so a later page submits this one.
		const isForLater = [
			"finishing",
			"confirmFailed",
			"done",
			"leaving",
		].includes(state.status);
		return isForLater ? state : { status: "finishing", itemId: event.itemId };
	}
	switch (state.status) {
		case "requestingToken":
			if (event.type === "started")
				return {
					status: "widget",
					start: event.start,
					ready: false,
					told: false,
				};
			return event.type === "noResponse" ? { status: "failed" } : state;
		case "widget":
			if (event.type === "opened") return { ...state, ready: true };
			if (event.type === "told") return { ...state, told: true };
			return event.type === "failed" || event.type === "closed"
				? { status: event.type }
				: state;
		case "finishing":
			return event.type === "noResponse"
				? { ...state, status: "confirmFailed" }
				: state;
		case "confirmFailed":
			return event.type === "retry" ? { ...state, status: "finishing" } : state;
		case "failed":
			return event.type === "retry" ? FIRST : state;
		default:
			return state;
	}
}
