import { expect, test } from "vitest";
import { START } from "../testing/page";
import { type ConnectEvent, FIRST, reduce, type State } from "./state";

const WIDGET: State = {
	status: "widget",
	start: START,
	ready: false,
	told: false,
};
const FINISHING: State = { status: "finishing", itemId: "item-1" };
const CONFIRM_FAILED: State = { status: "confirmFailed", itemId: "item-1" };

const error = { message: "x", itemId: null, pending: false };

const EVENTS: ConnectEvent[] = [
	{ type: "started", start: START },
	{ type: "noResponse" },
	{ type: "retry" },
	{ type: "opened" },
	{ type: "step", step: "login", connector: null },
	{ type: "error", ...error },
	{ type: "failed", ...error },
	{ type: "closed" },
	{ type: "succeeded", itemId: "item-2", pending: false },
	{ type: "told" },
	{ type: "done" },
	{ type: "left" },
	{ type: "stopped" },
];

/** What follows in every state. */
const ALWAYS = {
	done: { status: "done" },
	left: { status: "leaving" },
	stopped: { status: "stopped" },
};
const LINKED = { succeeded: { status: "finishing", itemId: "item-2" } };

/** The next state by the event's type. Every other event leaves the state as it is. */
test.each<[State, object]>([
	[FIRST, { ...LINKED, started: WIDGET, noResponse: { status: "failed" } }],
	[
		WIDGET,
		{
			...LINKED,
			opened: { ...WIDGET, ready: true },
			told: { ...WIDGET, told: true },
			failed: { status: "failed" },
			closed: { status: "closed" },
		},
	],
	[{ status: "failed" }, { ...LINKED, retry: FIRST }],
	[FINISHING, { noResponse: CONFIRM_FAILED }],
	[CONFIRM_FAILED, { retry: FINISHING }],
	[{ status: "closed" }, LINKED],
	[{ status: "stopped" }, LINKED],
	[{ status: "leaving" }, {}],
	[{ status: "done" }, {}],
])("$status changes by the events that apply only", (state, changes) => {
	const expected: Partial<Record<string, unknown>> = { ...ALWAYS, ...changes };
	for (const event of EVENTS) {
		const next = reduce(state, event);
		if (event.type in expected)
			expect(next, event.type).toEqual(expected[event.type]);
		else expect(next, event.type).toBe(state);
	}
});
