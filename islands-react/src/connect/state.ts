/**
 * The state machine of a visit to Connect, as a pure function. `visit.ts` does the work of each status.
 *
 * A success always counts, even if the person has closed the widget or opened another one, because the
 * bank account is linked.
 */
import type { ConnectStart } from "../generated/types";
import type { KeptItem } from "../page/items";
import type { PluggyEvent } from "./pluggy";

export type State =
	/** `stopped`: another tab has replaced the session, or it has ended. `refused`: only this page knows it. */
	| { status: "requestingToken" | "failed" | "stopped" | "refused" }
	/**
	 * `closed`: without a success; navigates to the accounts. `done`: after a success, and `leaving`:
	 * after a failure; both navigate to the server's target. `isStalled`: the page is still there.
	 */
	| { status: "closed" | "done" | "leaving"; isStalled: boolean }
	/**
	 * The widget is opening (`ready: false`) or in use. `approval`: whether an account waits for one,
	 * once the server has answered. `told`: the widget API knows of it.
	 */
	| {
			status: "widget";
			start: ConnectStart;
			ready: boolean;
			approval: "none" | "untold" | "told";
	  }
	/** `to`: where the page leads once the widget API has the item, which only this page holds. */
	| { status: "finishing" | "confirmFailed"; item: KeptItem; to?: string };

export type ConnectEvent =
	| Exclude<PluggyEvent, { type: "succeeded" }>
	/** A success, as an item that the page keeps. */
	| { type: "linked"; item: KeptItem }
	| { type: "started"; start: ConnectStart }
	/** The server has answered that the widget API does not have the item yet, and only this page holds it. */
	| { type: "unsaved"; to: string }
	| {
			type:
				| "noResponse"
				| "retry"
				| "told"
				| "untold"
				| "refused"
				| "done"
				| "left"
				| "stalled"
				| "stopped";
	  };

export const FIRST: State = { status: "requestingToken" };

/** Returns the next state. An event that does not apply leaves the state unchanged. */
export function reduce(state: State, event: ConnectEvent): State {
	if (event.type === "stopped") return { status: "stopped" };
	if (event.type === "done") return { status: "done", isStalled: false };
	if (event.type === "left") return { status: "leaving", isStalled: false };
	if (event.type === "linked") {
		// The browser keeps every item. In these states another one is being handled, or the page is being
		// left, so a later page finishes this one.
		const isForLater = [
			"finishing",
			"confirmFailed",
			"done",
			"leaving",
		].includes(state.status);
		return isForLater ? state : { status: "finishing", item: event.item };
	}
	switch (state.status) {
		case "requestingToken":
			if (event.type === "started")
				return {
					status: "widget",
					start: event.start,
					ready: false,
					approval: "none",
				};
			return event.type === "noResponse" ? { status: "failed" } : state;
		case "widget":
			if (event.type === "opened") return { ...state, ready: true };
			if (event.type === "told") return { ...state, approval: "told" };
			if (event.type === "untold" && state.approval === "none")
				return { ...state, approval: "untold" };
			if (event.type === "closed")
				return { status: "closed", isStalled: false };
			return event.type === "failed" ? { status: "failed" } : state;
		// The page also retries by itself while it shows `confirmFailed`, and each failure is a new state.
		case "finishing":
		case "confirmFailed":
			if (event.type === "retry") return { ...state, status: "finishing" };
			if (event.type === "noResponse")
				return { ...state, status: "confirmFailed" };
			if (event.type === "unsaved")
				return { ...state, status: "confirmFailed", to: event.to };
			return event.type === "refused" ? { status: "refused" } : state;
		case "failed":
			return event.type === "retry" ? FIRST : state;
		case "closed":
		case "done":
		case "leaving":
			return event.type === "stalled" ? { ...state, isStalled: true } : state;
		default:
			return state;
	}
}
