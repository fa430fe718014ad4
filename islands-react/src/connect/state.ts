/**
 * The state machine of a visit to Connect. Pure: `visit.ts` does the work of each status.
 *
 * A success counts whenever it comes, even if the user has closed the widget or opened another one: the bank account is
 * linked then.
 */
import type { ConnectStart } from "../generated/types";
import type { PluggyEvent } from "./pluggy";

export type State =
	/**
	 * `closed`: without a success, to the accounts. `done`: after a success, to where the server leads. `leaving`: after a
	 * refusal, to where the server leads. `stopped`: replaced in another tab.
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
	/** The widget is opening (`ready: false`) or in use. */
	| { status: "widget"; start: ConnectStart; ready: boolean }
	| { status: "finishing" | "confirmFailed"; itemId: string };

export type ConnectEvent =
	| PluggyEvent
	| { type: "started"; start: ConnectStart }
	| { type: "unanswered" | "retry" | "done" | "refused" | "stopped" };

export const FIRST: State = { status: "requestingToken" };

/** An event that means nothing in a state leaves it as it is. */
export function reduce(state: State, event: ConnectEvent): State {
	if (event.type === "done" || event.type === "stopped")
		return { status: event.type };
	if (event.type === "refused") return { status: "leaving" };
	if (event.type === "succeeded") {
		// While the page leaves, the tab keeps the item for the next one.
		const isKept = ["finishing", "confirmFailed", "done", "leaving"].includes(
			state.status,
		);
		return isKept ? state : { status: "finishing", itemId: event.itemId };
	}
	switch (state.status) {
		case "requestingToken":
			if (event.type === "started")
				return { status: "widget", start: event.start, ready: false };
			return event.type === "unanswered" ? { status: "failed" } : state;
		case "widget":
			if (event.type === "opened") return { ...state, ready: true };
			return event.type === "failed" || event.type === "closed"
				? { status: event.type }
				: state;
		case "finishing":
			return event.type === "unanswered"
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
