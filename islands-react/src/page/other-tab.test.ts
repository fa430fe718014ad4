import { expect, test, vi } from "vitest";
import {
	type Answer,
	answerActions,
	page,
	watchLocation,
} from "../testing/page";
import { createStopping, watchOtherTabs } from "./other-tab";

const REPLACED = { status: 409, body: { kind: "other_tab" } };
const LOST = { status: 401, body: { kind: "no_session" } };

test.each<[string, string, Answer, { asks: boolean; stops: boolean }]>([
	[
		"a session that has replaced its own",
		"s-2",
		REPLACED,
		{ asks: true, stops: true },
	],
	[
		"another session while the cookie still has its own",
		"s-2",
		{ body: {} },
		{ asks: true, stops: false },
	],
	[
		"another session without a response from the server",
		"s-2",
		"offline",
		{ asks: true, stops: false },
	],
	[
		"another session after its own has ended",
		"s-2",
		LOST,
		{ asks: true, stops: false },
	],
	["its own session", "s-1", REPLACED, { asks: false, stops: false }],
])(
	"a page that receives %s",
	async (_what, session, answer, { asks, stops }) => {
		const channel = Object.assign(new EventTarget(), { postMessage: vi.fn() });
		vi.stubGlobal("BroadcastChannel", function open() {
			return channel;
		});
		const { replace } = watchLocation();
		const calls = answerActions({ check_session: [answer] });
		document.body.insertAdjacentHTML(
			"beforeend",
			'<dialog id="other-tab" data-session="s-1"></dialog>',
		);
		watchOtherTabs(page);
		expect(channel.postMessage.mock.calls).toEqual([[{ session: "s-1" }]]);
		for (let times = 0; times < 3; times += 1)
			channel.dispatchEvent(new MessageEvent("message", { data: { session } }));
		await new Promise((done) => setTimeout(done));
		expect(calls.map(({ input }) => input)).toEqual(
			asks ? [{ session: "s-1" }] : [],
		);
		expect([
			page.stopped.aborted,
			document.querySelector("dialog")?.open,
		]).toEqual([stops, stops]);
		expect(replace).not.toHaveBeenCalled();
	},
);

test("a hidden tab shows the notice a moment after it becomes visible, and later focuses its title", () => {
	vi.useFakeTimers();
	document.body.innerHTML =
		'<dialog id="other-tab"><h2 tabindex="-1">Outro link</h2><a href="/" autofocus>Continuar</a></dialog>';
	const isOpen = () => document.querySelector("dialog")?.open;
	const setHidden = (hidden: boolean) => {
		Object.defineProperty(document, "hidden", {
			configurable: true,
			value: hidden,
		});
		document.dispatchEvent(new Event("visibilitychange"));
	};
	setHidden(true);
	createStopping().stop("other_tab");
	vi.advanceTimersByTime(60_000);
	setHidden(false);
	expect(isOpen()).toBe(false);
	// Hidden again before the dialog opens.
	setHidden(true);
	vi.advanceTimersByTime(400);
	expect(isOpen()).toBe(false);
	setHidden(false);
	vi.advanceTimersByTime(400);
	Reflect.deleteProperty(document, "hidden");
	expect(isOpen()).toBe(true);
	const title = document.querySelector("h2");
	expect(title).not.toHaveFocus();
	vi.advanceTimersByTime(1000);
	expect(title, "screen readers read it").toHaveFocus();
});

test("a page whose session has ended says so on its own route", async () => {
	const { replace } = watchLocation();
	document.body.innerHTML =
		'<dialog id="other-tab" data-session="s-1"></dialog><dialog id="session-ended"><h2 tabindex="-1">A sua sessão terminou</h2></dialog>';
	watchOtherTabs(page);
	expect(page.handleFailure({ kind: "no_session" })).toBe(true);
	const opened = [...document.querySelectorAll("dialog")].map(
		({ id, open }) => [id, open],
	);
	expect(opened).toEqual([
		["other-tab", false],
		["session-ended", true],
	]);
	expect(page.handleFailure({ kind: "other_tab" })).toBe(true);
	expect(document.querySelector("dialog")?.open, "one reason").toBe(false);
	expect(replace).not.toHaveBeenCalled();
});
