import { expect, test } from "vitest";
import { keptItem, START } from "../testing/page";
import { type ConnectEvent, FIRST, reduce, type State } from "./state";

const WIDGET: State = {
	status: "widget",
	start: START,
	ready: false,
	approval: "none",
};
const item = keptItem({ itemId: "item-1" });
const other = keptItem({ itemId: "item-2" });
const FINISHING: State = { status: "finishing", item };
const CONFIRM_FAILED: State = { status: "confirmFailed", item };
const REFUSED: State = { status: "refused" };
const left = (status: "closed" | "leaving" | "done"): State => ({
	status,
	isStalled: false,
});

const error = { message: "x", itemId: null, pending: false, bank: null };

const EVENTS: ConnectEvent[] = [
	{ type: "started", start: START },
	{ type: "noResponse" },
	{ type: "retry" },
	{ type: "opened" },
	{ type: "error", ...error },
	{ type: "failed", ...error },
	{ type: "closed" },
	{ type: "linked", item: other },
	{ type: "told" },
	{ type: "untold" },
	{ type: "unsaved", to: "/x" },
	{ type: "refused" },
	{ type: "done" },
	{ type: "left" },
	{ type: "stalled" },
	{ type: "stopped" },
];

/** What follows in every state. */
const ALWAYS = {
	done: left("done"),
	left: left("leaving"),
	stopped: { status: "stopped" },
};
const LINKED = { linked: { status: "finishing", item: other } };

/** The next state by the event's type. Every other event leaves the state as it is. */
test.each<[State, object]>([
	[FIRST, { ...LINKED, started: WIDGET, noResponse: { status: "failed" } }],
	[
		WIDGET,
		{
			...LINKED,
			opened: { ...WIDGET, ready: true },
			told: { ...WIDGET, approval: "told" },
			untold: { ...WIDGET, approval: "untold" },
			failed: { status: "failed" },
			closed: left("closed"),
		},
	],
	[
		{ ...WIDGET, approval: "told" },
		{
			...LINKED,
			opened: { ...WIDGET, approval: "told", ready: true },
			told: { ...WIDGET, approval: "told" },
			failed: { status: "failed" },
			closed: left("closed"),
		},
	],
	[{ status: "failed" }, { ...LINKED, retry: FIRST }],
	...[FINISHING, CONFIRM_FAILED].map((state): [State, object] => [
		state,
		{
			noResponse: CONFIRM_FAILED,
			retry: FINISHING,
			unsaved: { ...CONFIRM_FAILED, to: "/x" },
			refused: REFUSED,
		},
	]),
	[
		left("closed"),
		{ ...LINKED, stalled: { status: "closed", isStalled: true } },
	],
	[{ status: "stopped" }, LINKED],
	[REFUSED, LINKED],
	[left("leaving"), { stalled: { status: "leaving", isStalled: true } }],
	[left("done"), { stalled: { status: "done", isStalled: true } }],
])("$status changes by the events that apply only", (state, changes) => {
	const expected: Partial<Record<string, unknown>> = { ...ALWAYS, ...changes };
	for (const event of EVENTS) {
		const next = reduce(state, event);
		if (event.type in expected)
			expect(next, event.type).toEqual(expected[event.type]);
		else expect(next, event.type).toBe(state);
	}
});
