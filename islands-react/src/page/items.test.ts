import { expect, test, vi } from "vitest";
import {
	type Answer,
	answerActions,
	deferred,
	openPage,
	page,
	toasts,
	watchLocation,
} from "../testing/page";
import { startStep } from "./step";

const ITEM = { itemId: "item-1", kind: "success", at: Date.now() } as const;
const ACCEPTED: Answer = {
	body: { to: "/integration/success", item: "accepted" },
};
const KEPT: Answer = { body: { to: "/integration/success", item: "kept" } };
/** Submits the items as the success screen does after its call. */
const submitItems = (session: string) =>
	page.items.reportSuccess(session, true);
const keptItems = (session: string) => page.items.keptItems(session);

test("keeps an item for its session only, across tabs, for seven days", async () => {
	vi.useFakeTimers();
	const calls = answerActions({});
	const item = { ...ITEM, at: Date.now() };
	page.items.keepItem("s-1", item);
	openPage();
	expect(keptItems("s-1")).toEqual([item]);
	localStorage.setItem("vincula-items:s-3", "{");
	for (const session of ["s-2", "s-3"]) expect(keptItems(session)).toEqual([]);
	expect(await submitItems("s-2")).toBe("done");
	expect(calls).toEqual([]);
	vi.advanceTimersByTime(7 * 24 * 3600 * 1000 - 1);
	expect(keptItems("s-1")).toEqual([item]);
	vi.advanceTimersByTime(1);
	expect(keptItems("s-1")).toEqual([]);
	page.items.watchItems("s-9");
	expect(localStorage.getItem("vincula-items:s-1")).toBeNull();
});

test("an accepted submission forgets the item and stays on the page", async () => {
	const { replace } = watchLocation();
	const answer = deferred<{ body: unknown }>();
	const calls = answerActions({ finish_connect: [answer.promise] });
	page.items.keepItem("s-1", ITEM);
	const twice = [submitItems("s-1"), submitItems("s-1")];
	answer.settle({ body: { to: "/integration/success", item: "accepted" } });
	expect(await Promise.all(twice)).toEqual(["done", "done"]);
	expect(calls).toMatchObject([
		{
			action: "finish_connect",
			input: {
				session: "s-1",
				itemId: "item-1",
				again: false,
				pending: false,
			},
			init: { keepalive: true },
		},
		{ action: "confirm_success", input: { session: "s-1" } },
	]);
	expect(keptItems("s-1")).toEqual([]);
	expect(replace).not.toHaveBeenCalled();
});

test("an item of an earlier document, or of an earlier submission, is submitted again", async () => {
	const calls = answerActions({ finish_connect: [KEPT] });
	const again = () =>
		calls.map(({ input }) => (input as { again: boolean }).again);
	page.items.keepItem("s-1", ITEM);
	for (let times = 0; times < 2; times += 1)
		expect(await submitItems("s-1")).toBe("failed");
	expect(again()).toEqual([false, true]);
	openPage();
	await submitItems("s-1");
	expect(again()).toEqual([false, true, true]);
	expect(keptItems("s-1")).toEqual([ITEM]);
});

test("submits each kind to its action, and a success that waits as one", async () => {
	const calls = answerActions({
		finish_connect: [ACCEPTED],
		report_connect_error: [{ body: { item: "accepted" } }],
	});
	page.items.keepItem("s-1", { ...ITEM, waits: true });
	page.items.keepItem("s-1", { ...ITEM, itemId: "item-2", kind: "pending" });
	expect(await submitItems("s-1")).toBe("done");
	expect(calls).toMatchObject([
		{ action: "finish_connect", input: { itemId: "item-1", pending: true } },
		{
			action: "report_connect_error",
			input: {
				session: "s-1",
				itemId: "item-2",
				message: "USER_AUTHORIZATION_PENDING",
				pending: true,
			},
			init: { keepalive: true },
		},
		{ action: "confirm_success" },
	]);
});

test("keeps two items, submits them in turn, and keeps the one that fails", async () => {
	const second = { ...ITEM, itemId: "item-2" };
	for (const item of [ITEM, second, second]) page.items.keepItem("s-1", item);
	expect(keptItems("s-1")).toEqual([ITEM, second]);
	const calls = answerActions({ finish_connect: [ACCEPTED, "offline"] });
	expect(await submitItems("s-1")).toBe("failed");
	expect(calls).toMatchObject([
		{ input: { itemId: "item-1" } },
		{ input: { itemId: "item-2" } },
		{ action: "confirm_success" },
	]);
	expect(keptItems("s-1")).toEqual([second]);
});

test.each<[string, Answer, { goes: string[][]; keeps: boolean }]>([
	["without a response", "offline", { goes: [], keeps: true }],
	[
		"of a replaced session",
		{ status: 409, body: { kind: "other_tab" } },
		{ goes: [], keeps: true },
	],
	[
		"without a session",
		{ status: 401, body: { kind: "no_session" } },
		{ goes: [], keeps: true },
	],
	["whose log has failed", KEPT, { goes: [], keeps: true }],
	[
		"during an outage",
		{ status: 500, body: { kind: "navigate", to: "/error/x" } },
		{ goes: [], keeps: true },
	],
	[
		"answered by a proxy in JSON",
		{ status: 503, body: { message: "busy" } },
		{ goes: [], keeps: true },
	],
	[
		"accepted by a proxy in JSON",
		{ status: 200, body: { message: "ok" } },
		{ goes: [], keeps: true },
	],
	[
		"whose update is refused permanently",
		{
			status: 422,
			body: { kind: "navigate", to: "/error/x", itemRefused: true },
		},
		{ goes: [["/error/x"]], keeps: false },
	],
	[
		"whose log is refused permanently",
		{ body: { to: "/integration/success", item: "refused" } },
		{ goes: [["/integration/accounts"]], keeps: false },
	],
])("a submission %s", async (_name, answer, { goes, keeps }) => {
	const { replace } = watchLocation();
	answerActions({ finish_connect: [answer] });
	page.items.keepItem("s-1", ITEM);
	await submitItems("s-1");
	expect(replace.mock.calls).toEqual(goes);
	expect(keptItems("s-1")).toEqual(keeps ? [ITEM] : []);
	expect(toasts()).toEqual([]);
});

const MARKUP = `<dialog id="other-tab" data-session="s-1"></dialog><div id="not-linked">não foi concluída</div>
	<p id="item-kept" hidden></p><p id="item-refused" hidden></p><p id="may-close"></p>`;
const isHidden = (id: string) => document.getElementById(id)?.hidden;

test("while an item is kept, the page says so, and not that it may be closed", async () => {
	document.body.dataset.page = "cancel-success";
	document.body.innerHTML = MARKUP;
	answerActions({ finish_connect: [KEPT, ACCEPTED] });
	startStep(page);
	const state = () => [isHidden("item-kept"), isHidden("may-close")];
	expect(state()).toEqual([true, false]);
	expect(document.getElementById("not-linked")).not.toBeNull();
	page.items.keepItem("s-1", ITEM);
	expect(state()).toEqual([false, true]);
	expect(document.getElementById("not-linked")).toBeNull();
	await submitItems("s-1");
	expect(state()).toEqual([false, true]);
	await submitItems("s-1");
	expect(state()).toEqual([true, false]);
});

test("a page with the notice of a refusal shows it", async () => {
	const { replace } = watchLocation();
	document.body.innerHTML = MARKUP;
	answerActions({
		finish_connect: [{ body: { to: "/", item: "refused" } }],
	});
	page.items.keepItem("s-1", ITEM);
	expect(await submitItems("s-1")).toBe("refused");
	expect(isHidden("item-refused")).toBe(false);
	expect(replace).not.toHaveBeenCalled();
});

test.each([
	{
		screen: "bank-form",
		leadsTo: "/integration/success",
		actions: ["finish_connect", "confirm_success"],
	},
	{
		screen: "cancel-success",
		leadsTo: "/cancel/success",
		actions: ["finish_connect"],
	},
	...["connect", "update", "success"].map((screen) => ({
		screen,
		leadsTo: "/integration/success",
		actions: [],
	})),
])(
	"$screen sends $actions when it starts with a kept item",
	async ({ screen, leadsTo, actions }) => {
		const calls = answerActions({
			finish_connect: [{ body: { to: leadsTo, item: "accepted" } }],
		});
		document.body.dataset.page = screen;
		document.body.innerHTML = MARKUP;
		page.items.keepItem("s-1", ITEM);
		startStep(page);
		await new Promise((done) => setTimeout(done));
		const sent = calls.map(({ action }) => action);
		expect(sent.filter((action) => !action.startsWith("list_"))).toEqual(
			actions,
		);
	},
);

test("Connect's page goes on to the success once a later submission is accepted", async () => {
	vi.useFakeTimers();
	const { replace } = watchLocation();
	answerActions({ finish_connect: [ACCEPTED] });
	document.body.dataset.page = "connect";
	document.body.innerHTML = MARKUP;
	startStep(page);
	page.items.keepItem("s-1", { ...ITEM, at: Date.now() });
	await vi.advanceTimersByTimeAsync(30_000);
	expect(replace.mock.calls).toEqual([["/integration/success"]]);
});

test("an open page submits a kept item every half minute", async () => {
	vi.useFakeTimers();
	const calls = answerActions({ finish_connect: ["offline", ACCEPTED] });
	document.body.dataset.page = "consent";
	document.body.innerHTML = MARKUP;
	page.items.keepItem("s-1", { ...ITEM, at: Date.now() });
	startStep(page);
	await vi.advanceTimersByTimeAsync(29_999);
	expect(calls).toHaveLength(1);
	await vi.advanceTimersByTimeAsync(1);
	const actions = ["finish_connect", "finish_connect", "confirm_success"];
	expect(calls.map(({ action }) => action)).toEqual(actions);
	await vi.advanceTimersByTimeAsync(60_000);
	expect(calls).toHaveLength(actions.length);
});

test.each<[string, Answer[], string, string[]]>([
	["accepted", [{ body: {} }], "done", []],
	["without a response", ["offline"], "failed", []],
	[
		"refused",
		[{ status: 410, body: { kind: "navigate", to: "/error/token-expired" } }],
		"left",
		["/error/token-expired"],
	],
])("a success call %s", async (_name, answers, result, goes) => {
	const { replace } = watchLocation();
	const calls = answerActions({ confirm_success: answers });
	expect(await page.items.reportSuccess("s-1", false)).toBe(result);
	expect(calls).toMatchObject([
		{ input: { session: "s-1" }, init: { keepalive: true } },
	]);
	expect(replace.mock.calls.flat()).toEqual(goes);
	expect(toasts()).toEqual([]);
});

test("the success call waits for the items, and is not repeated", async () => {
	document.body.dataset.page = "success";
	const calls = answerActions({ finish_connect: [KEPT, ACCEPTED] });
	const actions = () => calls.map(({ action }) => action);
	page.items.keepItem("s-1", ITEM);
	expect(await page.items.reportSuccess("s-1", false)).toBe("failed");
	expect(actions()).toEqual(["finish_connect"]);
	expect(await page.items.reportSuccess("s-1", true)).toBe("done");
	expect(actions()).toEqual(["finish_connect", "finish_connect"]);
});
