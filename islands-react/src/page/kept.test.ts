import { expect, test, vi } from "vitest";
import {
	type Answer,
	answerActions,
	deferred,
	page,
	toasts,
	watchLocation,
} from "../testing/page";
import { startStep } from "./step";

const ITEM = { itemId: "item-1", bank: "Itaú", at: 1_700_000_000_000 };
const submitItems = (session: string) => page.submitItems(session);
const keptItems = (session: string) => page.keptItems(session);

test("keeps an item for its session only", async () => {
	const calls = answerActions({});
	page.keepItem("s-1", ITEM);
	expect(keptItems("s-1")).toEqual([ITEM]);
	sessionStorage.setItem("vincula-items:s-3", "{");
	for (const session of ["s-2", "s-3"]) expect(keptItems(session)).toEqual([]);
	expect(await submitItems("s-2")).toBe(false);
	expect(calls).toEqual([]);
	page.forget("s-1");
	expect(keptItems("s-1")).toEqual([]);
});

test("a kept item is shown as an account that was just linked, however the clock was set", () => {
	vi.useFakeTimers({ now: ITEM.at + 2_999 });
	page.keepItem("s-1", ITEM);
	const row = { brand: "", bank: "Itaú", state: "confirming", approveBy: "" };
	const linking = { row, linkedAt: "", ageSecs: 2 };
	expect(page.keptLinkings("s-1")).toEqual([linking]);
	vi.setSystemTime(ITEM.at - 60_000);
	expect(page.keptLinkings("s-1")).toEqual([{ ...linking, ageSecs: 0 }]);
});

test("an accepted submission forgets the item, stays on the page and is confirmed by one caller", async () => {
	const { replace } = watchLocation();
	const answer = deferred<{ body: unknown }>();
	const calls = answerActions({ finish_connect: [answer.promise] });
	page.keepItem("s-1", ITEM);
	const twice = [submitItems("s-1"), submitItems("s-1")];
	answer.settle({ body: { to: "/integration/success" } });
	expect(await Promise.all(twice)).toEqual([true, false]);
	expect(calls).toMatchObject([
		{
			action: "finish_connect",
			input: { session: "s-1", itemId: "item-1", bankName: "Itaú" },
			init: { keepalive: true },
		},
	]);
	expect(keptItems("s-1")).toEqual([]);
	expect(await submitItems("s-1")).toBe(false);
	expect(replace).not.toHaveBeenCalled();
});

test("keeps two items, submits them in turn, and keeps the one that fails", async () => {
	const second = { ...ITEM, itemId: "item-2", bank: "Nubank" };
	page.keepItem("s-1", ITEM);
	page.keepItem("s-1", second);
	page.keepItem("s-1", second);
	expect(keptItems("s-1")).toEqual([ITEM, second]);
	const calls = answerActions({
		finish_connect: [{ body: { to: "/integration/success" } }, "offline"],
	});
	expect(await submitItems("s-1")).toBe(true);
	expect(calls.map(({ input }) => input)).toEqual([
		{ session: "s-1", itemId: "item-1", bankName: "Itaú" },
		{ session: "s-1", itemId: "item-2", bankName: "Nubank" },
	]);
	expect(keptItems("s-1")).toEqual([second]);
});

test("submits nothing for 30 seconds after a failed submission", async () => {
	vi.useFakeTimers();
	const calls = answerActions({ finish_connect: ["offline"] });
	page.keepItem("s-1", ITEM);
	await submitItems("s-1");
	vi.advanceTimersByTime(29_999);
	expect(await submitItems("s-1")).toBe(false);
	expect(calls).toHaveLength(1);
	vi.advanceTimersByTime(1);
	await submitItems("s-1");
	expect(calls).toHaveLength(2);
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
		{ status: 401, body: { kind: "navigate", to: "/" } },
		{ goes: [], keeps: true },
	],
	[
		"during an outage",
		{ status: 502, body: { kind: "navigate", to: "/error/x" } },
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
		"that is refused permanently",
		{
			status: 502,
			body: { kind: "navigate", to: "/error/x", itemRefused: true },
		},
		{ goes: [["/error/x"]], keeps: false },
	],
])("a submission %s", async (_name, answer, { goes, keeps }) => {
	const { replace } = watchLocation();
	answerActions({ finish_connect: [answer] });
	page.keepItem("s-1", ITEM);
	expect(await submitItems("s-1")).toBe(false);
	expect(replace.mock.calls).toEqual(goes);
	expect(keptItems("s-1")).toEqual(keeps ? [ITEM] : []);
	expect(toasts()).toEqual([]);
});

test.each([true, false])(
	"hides the notice of an unfinished connection while the tab keeps its item: %s",
	async (keeps) => {
		document.body.dataset.page = "accounts";
		document.body.innerHTML =
			'<dialog id="other-tab" data-session="s-1"></dialog><div id="not-linked">não foi concluída</div>';
		if (keeps) page.keepItem("s-1", ITEM);
		startStep(page);
		expect(document.getElementById("not-linked") === null).toBe(keeps);
	},
);

test.each([
	...["consent", "bank-form"].map((page) => ({ page, count: 1 })),
	...["connect", "success", "accounts", "cancel-confirm", "cancel-success"].map(
		(page) => ({ page, count: 0 }),
	),
])(
	"number of background submissions on the page $page: $count",
	async ({ page: name, count }) => {
		const calls = answerActions({ finish_connect: ["offline"] });
		document.body.dataset.page = name;
		document.body.insertAdjacentHTML(
			"beforeend",
			'<dialog id="other-tab" data-session="s-1"></dialog>',
		);
		page.keepItem("s-1", ITEM);
		startStep(page);
		expect(
			calls.filter(({ action }) => action === "finish_connect"),
		).toHaveLength(count);
	},
);
