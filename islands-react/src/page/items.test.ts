import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
	type Answer,
	answerActions,
	CONTEXT,
	deferred,
	keptItem,
	openPage,
	page,
	putContext,
	toasts,
	watchLocation,
} from "../testing/page";
import { type KeptItem, SAID_AFTER_MS } from "./items";
import { startPage } from "./page";

/** Sessions of two links of one client, and of another client. */
const SESSION = "0123456789abcdef-link-1";
const SAME_CLIENT = "0123456789abcdef-link-2";
const OTHER_CLIENT = "fedcba9876543210-link-1";
const KEY = "vincula-items:0123456789abcdef";

const SUCCESS = "/integration/success";
const DAY_MS = 24 * 3600 * 1000;

/** The responses of `finish_connect` and `submit_item`. */
const answered = (item: string, to: string | null = SUCCESS): Answer => ({
	body: { to, item },
});
const REFUSED_BY_API = {
	status: 422,
	body: { navigate: { to: "/error/x" } },
};

const first = keptItem({ state: "kept" });
const second = keptItem({ itemId: "item-2", state: "kept" });

const store = (...items: unknown[]) =>
	localStorage.setItem(KEY, JSON.stringify(items));
const stored = (): KeptItem[] => JSON.parse(localStorage.getItem(KEY) ?? "[]");
const stateOf = (itemId = "item-1") => page.items.find(SESSION, itemId)?.state;
const submit = () => page.items.submit(SESSION);
const settled = () => new Promise((done) => setTimeout(done));

let replace: ReturnType<typeof watchLocation>["replace"];
beforeEach(() => {
	({ replace } = watchLocation());
});
// Before the storage is cleared.
afterEach(() => vi.unstubAllGlobals());

describe("an item", () => {
	test("is kept under its client, so that another link of the client delivers it", async () => {
		page.items.keep(SESSION, first);
		openPage();
		const calls = answerActions({ submit_item: [answered("accepted")] });
		await page.items.submit(OTHER_CLIENT);
		expect(calls).toEqual([]);
		openPage();
		await page.items.submit(SAME_CLIENT);
		expect(calls).toMatchObject([
			{ input: { session: SAME_CLIENT, itemId: "item-1" } },
		]);
		expect(stored()).toEqual([]);
	});

	test("is kept however the device's clock changes", () => {
		vi.useFakeTimers();
		page.items.keep(SESSION, keptItem());
		for (const days of [10, -20, 400]) {
			vi.setSystemTime(Date.now() + days * DAY_MS);
			expect(stateOf()).toBe("new");
		}
	});

	test("is the oldest and goes if there are seventeen", () => {
		for (let at = 17; at > 0; at -= 1)
			page.items.keep(
				SESSION,
				keptItem({ itemId: `item-${at}`, at: Date.now() + 1000 * at }),
			);
		expect(stored()).toHaveLength(16);
		expect([stateOf("item-1"), stateOf("item-2")]).toEqual([undefined, "new"]);
	});

	test("of another shape is dropped and stops nothing", async () => {
		const { renews, ...older } = first;
		store(
			null,
			"x",
			older,
			{ ...first, itemId: 7 },
			{ ...first, waits: "yes" },
			{ ...first, at: "now" },
			{ ...first, kind: "other" },
			{ ...first, state: "other" },
			second,
		);
		const calls = answerActions({ submit_item: [answered("accepted")] });
		await submit();
		expect(calls).toMatchObject([{ input: { itemId: "item-2" } }]);
		expect(stored()).toEqual([]);
	});
});

describe("finishing", () => {
	const finish = (item = keptItem()) => page.items.finish(SESSION, item);

	test("sends the item by a request that ends with the page, and marks it as sent before", async () => {
		const answer = deferred<{ body: unknown }>();
		const calls = answerActions({ finish_connect: [answer.promise] });
		const item = keptItem({
			waits: true,
			renews: "link-1",
			at: Date.now() - 2500,
		});
		page.items.keep(SESSION, item);
		const finished = finish(item);
		expect(stored()).toEqual([{ ...item, state: "sent" }]);
		expect(calls).toMatchObject([
			{
				action: "finish_connect",
				input: {
					session: SESSION,
					itemId: "item-1",
					kind: "success",
					bank: "Itaú",
					waits: true,
					renews: "link-1",
					ageSecs: 2,
					again: false,
				},
				init: { keepalive: false },
			},
		]);
		answer.settle({ body: { to: SUCCESS, item: "accepted" } });
		expect(await finished).toMatchObject({ ok: true, data: { to: SUCCESS } });
		expect(stored()).toEqual([]);
	});

	test("says that the item was sent before, also by an earlier page", async () => {
		const calls = answerActions({ finish_connect: ["offline"] });
		const item = keptItem({ at: Date.now() + DAY_MS });
		page.items.keep(SESSION, item);
		for (let times = 0; times < 2; times += 1) await finish(item);
		openPage();
		await finish(item);
		expect(calls).toMatchObject([
			{ input: { again: false, ageSecs: 0 } },
			{ input: { again: true } },
			{ input: { again: true } },
		]);
	});

	test.each<[string, Answer, KeptItem["state"] | undefined]>([
		["that the API has accepted", answered("accepted"), undefined],
		["that the API does not have yet", answered("kept"), "kept"],
		["that the API refuses", answered("refused"), "refused"],
		["that is refused with an error screen", REFUSED_BY_API, undefined],
		["of an expired link", { ...REFUSED_BY_API, status: 410 }, undefined],
		["without a response", "offline", "sent"],
		["during an outage", { ...REFUSED_BY_API, status: 500 }, "sent"],
		["of a replaced session", { status: 409, body: "other_tab" }, "sent"],
		["answered by a proxy", { status: 422, body: { message: "busy" } }, "sent"],
		["accepted by a proxy", { body: { message: "ok" } }, "sent"],
	])("an item %s", async (_which, answer, state) => {
		answerActions({ finish_connect: [answer] });
		page.items.keep(SESSION, keptItem());
		await finish();
		expect(stateOf()).toBe(state);
		expect(stored().map((item) => item.state)).toEqual(state ? [state] : []);
		expect([replace.mock.calls, toasts()]).toEqual([[], []]);
	});

	test("a pending approval leaves the success that has replaced it", async () => {
		const answer = deferred<{ body: unknown }>();
		answerActions({ finish_connect: [answer.promise] });
		const pending = keptItem({ kind: "pending" });
		page.items.keep(SESSION, pending);
		const finished = finish(pending);
		page.items.keep(SESSION, keptItem());
		answer.settle({ body: { to: null, item: "accepted" } });
		await finished;
		expect(stored()).toMatchObject([{ kind: "success", state: "new" }]);
	});
});

describe("a round in the background", () => {
	test("submits what is kept by requests that outlive the page, and changes nothing else", async () => {
		// Connect's pages finish what is unanswered themselves.
		document.body.dataset.page = "connect";
		const calls = answerActions({ submit_item: [answered("accepted")] });
		const unsent = keptItem({ itemId: "item-3" });
		store(
			first,
			{ ...second, kind: "pending", waits: true },
			unsent,
			keptItem({ itemId: "item-4", state: "sent" }),
			keptItem({ itemId: "item-5", state: "refused" }),
		);
		await submit();
		expect(calls).toMatchObject([
			{
				action: "submit_item",
				input: {
					session: SESSION,
					itemId: "item-1",
					kind: "success",
					again: true,
				},
				init: { keepalive: true },
			},
			{
				action: "submit_item",
				input: { itemId: "item-2", kind: "pending", waits: true },
			},
		]);
		expect(stored().map(({ itemId }) => itemId)).toEqual([
			"item-3",
			"item-4",
			"item-5",
		]);
		expect([replace.mock.calls, toasts()]).toEqual([[], []]);
	});

	test.each<[string, Answer, string]>([
		["has no response", "offline", "kept"],
		["is kept", answered("kept"), "kept"],
		["meets an outage", { ...REFUSED_BY_API, status: 500 }, "kept"],
		["fails for good", REFUSED_BY_API, "kept"],
		["is refused", answered("refused"), "refused"],
	])(
		"delivers the second item if the first one %s",
		async (_what, answer, state) => {
			const calls = answerActions({
				submit_item: [answer, answered("accepted")],
			});
			store(first, second);
			await submit();
			expect(calls).toHaveLength(2);
			expect(stored()).toMatchObject([{ itemId: "item-1", state }]);
			expect([replace.mock.calls, toasts()]).toEqual([[], []]);
		},
	);

	test.each(["other_tab", "no_session"])(
		"ends if the page is stopped by %s, without a dialog",
		async (body) => {
			const calls = answerActions({
				submit_item: [{ status: 409, body }],
			});
			store(first, second);
			await submit();
			expect(calls).toHaveLength(1);
			expect(page.client.stopped.aborted).toBe(false);
		},
	);

	test("is the only one, and includes an item that is kept meanwhile", async () => {
		const answer = deferred<{ body: unknown }>();
		const calls = answerActions({
			submit_item: [answer.promise, answered("accepted")],
		});
		page.items.keep(SESSION, first);
		const rounds = [submit(), submit()];
		page.items.keep(SESSION, second);
		answer.settle({ body: { item: "accepted" } });
		await Promise.all(rounds);
		expect(calls).toMatchObject([
			{ input: { itemId: "item-1" } },
			{ input: { itemId: "item-2" } },
		]);
	});
});

/** A page's markup. */
const WORDS = {
	kept: "mantida",
	refused: "recusada",
	finishing: "confirmando",
};
function serve(screen = "accounts"): void {
	document.body.dataset.page = screen;
	delete document.body.dataset.items;
	document.body.innerHTML = `<main>
		<p id="items" data-kept="${WORDS.kept}" data-refused="${WORDS.refused}" data-finishing="${WORDS.finishing}"></p>
		<section><h1 class="step__title" tabindex="-1"></h1><div id="not-linked"></div><p id="may-close"></p></section></main>`;
	putContext({ ...CONTEXT, session: SESSION });
}
const line = () => document.getElementById("items")?.textContent;
const isInert = () => document.querySelector("section")?.hasAttribute("inert");

test("an open page submits what is kept when it opens, and every half minute until the API has it", async () => {
	vi.useFakeTimers();
	const calls = answerActions({
		submit_item: ["offline", answered("accepted")],
	});
	store(first);
	serve("connect");
	startPage(page);
	await vi.advanceTimersByTimeAsync(29_999);
	expect(calls).toHaveLength(1);
	await vi.advanceTimersByTimeAsync(60_001);
	const actions = ["submit_item", "submit_item"];
	expect(calls.map(({ action }) => action)).toEqual(actions);
	expect(replace).not.toHaveBeenCalled();
});

test.each([
	["is connected, if a success is kept", [first], "Conectada. Parou."],
	[
		"is not mentioned, if only an approval is",
		[keptItem({ kind: "pending" })],
		"Parou.",
	],
	["is not mentioned, if nothing is", [], "Parou."],
])(
	"the dialog of a stopped page says that the account %s",
	(_what, items, text) => {
		answerActions({ submit_item: ["offline"], finish_connect: ["offline"] });
		store(...items);
		serve();
		document.body.insertAdjacentHTML(
			"beforeend",
			'<dialog id="stopped"><p id="stopped-text" data-ended="Parou." data-linked="Conectada."></p></dialog>',
		);
		startPage(page);
		void page.client.handleFailure("no_session");
		expect(document.getElementById("stopped-text")?.textContent).toBe(text);
	},
);

describe("an item that was left unanswered", () => {
	const open = () => {
		serve();
		startPage(page);
	};

	test.each(["new", "sent"] as const)(
		"is finished first if it is %s, and leads on; until then the page cannot be used",
		async (state) => {
			const answer = deferred<{ body: unknown }>();
			const calls = answerActions({ finish_connect: [answer.promise] });
			store(keptItem({ state }));
			open();
			expect([isInert(), line(), document.body.dataset.items]).toEqual([
				true,
				WORDS.finishing,
				"finishing",
			]);
			expect(calls).toMatchObject([
				{ action: "finish_connect", input: { again: state === "sent" } },
			]);
			answer.settle({ body: { to: SUCCESS, item: "accepted" } });
			await settled();
			expect(replace.mock.calls).toEqual([[SUCCESS]]);
			expect(isInert()).toBe(true);
			expect(document.getElementById("may-close")?.hidden).toBe(true);
		},
	);

	test.each<[string, Answer, string]>([
		["that is only logged", answered("accepted", null), "none"],
		["without a response", "offline", "kept"],
		["during an outage", { ...REFUSED_BY_API, status: 500 }, "kept"],
		["that is refused", REFUSED_BY_API, "refused"],
		["of a replaced session", { status: 409, body: "other_tab" }, "kept"],
	])("and %s gives the page back quietly", async (_which, answer, state) => {
		answerActions({ finish_connect: [answer] });
		store(keptItem());
		open();
		// As browsers do in an inert part.
		document.querySelector("h1")?.blur();
		await settled();
		expect([isInert(), document.body.dataset.items]).toEqual([false, state]);
		expect(document.activeElement).toBe(document.querySelector("h1"));
		expect([replace.mock.calls, toasts()]).toEqual([[], []]);
		expect(page.client.stopped.aborted).toBe(false);
	});

	test("leaves the success that another tab has put in the place of a pending approval", async () => {
		const pending = keptItem({ itemId: "item-2", kind: "pending" });
		store(keptItem(), pending);
		const answer = deferred<{ body: unknown }>();
		const calls = answerActions({
			finish_connect: [answer.promise, "offline"],
		});
		open();
		store(keptItem(), keptItem({ itemId: "item-2" }));
		answer.settle({ body: { to: null, item: "accepted" } });
		await settled();
		expect(calls[1]?.input).toMatchObject({
			itemId: "item-2",
			kind: "success",
		});
	});

	test("does not stop the others; only a success leads on, and what is kept is submitted", async () => {
		store(
			keptItem(),
			keptItem({ itemId: "item-2", kind: "pending" }),
			keptItem({ itemId: "item-3" }),
		);
		const calls = answerActions({
			finish_connect: [
				"offline",
				answered("kept", "/pending"),
				answered("accepted", null),
			],
		});
		open();
		await settled();
		expect(calls.map(({ action }) => action)).toEqual([
			...Array(3).fill("finish_connect"),
			// What has failed is submitted as well.
			...Array(2).fill("submit_item"),
		]);
		expect(replace).not.toHaveBeenCalled();
	});

	test("gives the page back after twenty seconds without a response, or if the navigation stalls", async () => {
		vi.useFakeTimers();
		answerActions({
			finish_connect: [deferred<never>().promise, answered("accepted")],
		});
		page.items.keep(SESSION, keptItem());
		open();
		await vi.advanceTimersByTimeAsync(19_999);
		expect(isInert()).toBe(true);
		await vi.advanceTimersByTimeAsync(1);
		expect(isInert()).toBe(false);
		openPage();
		open();
		await vi.advanceTimersByTimeAsync(7999);
		expect([isInert(), replace.mock.calls]).toEqual([true, [[SUCCESS]]]);
		await vi.advanceTimersByTimeAsync(1);
		expect(isInert()).toBe(false);
	});

	test("does not lead on if the next page would find it unanswered again", async () => {
		store(keptItem());
		vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
			throw new Error("full");
		});
		answerActions({ finish_connect: [answered("kept")] });
		open();
		await settled();
		expect([isInert(), replace.mock.calls]).toEqual([false, []]);
	});

	test.each(["connect", "update"])(
		"is left to the screen %s",
		async (screen) => {
			const calls = answerActions({});
			store(keptItem());
			serve(screen);
			startPage(page);
			await settled();
			expect([calls, isInert(), line()]).toEqual([[], false, ""]);
		},
	);
});

describe("the line", () => {
	const hidden = () => document.getElementById("may-close")?.hidden;

	test("shows a kept item, and the page does not say that it may be closed or that nothing was linked", async () => {
		serve();
		const states: (string | undefined)[] = [];
		addEventListener("vincula-items", () =>
			states.push(document.body.dataset.items),
		);
		answerActions({ submit_item: ["offline", answered("accepted")] });
		startPage(page);
		expect([line(), hidden()]).toEqual(["", false]);
		expect(document.getElementById("not-linked")).not.toBeNull();
		page.items.keep(SESSION, first);
		expect([line(), hidden()]).toEqual([WORDS.kept, true]);
		expect(document.getElementById("not-linked")).toBeNull();
		await submit();
		expect([line(), hidden()]).toEqual([WORDS.kept, true]);
		await submit();
		expect([line(), hidden()]).toEqual(["", false]);
		expect(states).toEqual(["none", "kept", "none"]);
	});

	test("is not written again while it stays the same, so that it is announced once", async () => {
		serve();
		answerActions({ submit_item: ["offline"] });
		store(first);
		startPage(page);
		const announced = vi.fn();
		new MutationObserver(announced).observe(
			document.getElementById("items") as Node,
			{
				childList: true,
			},
		);
		for (let times = 0; times < 2; times += 1) await submit();
		page.items.keep(SESSION, second);
		await settled();
		expect(announced).not.toHaveBeenCalled();
	});

	test("is written again after a page has loaded with it, because only changes are announced", async () => {
		vi.useFakeTimers();
		serve();
		answerActions({ submit_item: [deferred<never>().promise] });
		store(first);
		startPage(page);
		const announced = vi.fn();
		new MutationObserver(announced).observe(
			document.getElementById("items") as Node,
			{ childList: true },
		);
		await vi.advanceTimersByTimeAsync(SAID_AFTER_MS - 1);
		expect(announced).not.toHaveBeenCalled();
		await vi.advanceTimersByTimeAsync(1);
		expect(announced).toHaveBeenCalledOnce();
		expect(line()).toBe(WORDS.kept);
		await vi.advanceTimersByTimeAsync(10 * SAID_AFTER_MS);
		expect(announced).toHaveBeenCalledOnce();
	});

	test("shows a refusal for one day, and the item is never sent again", async () => {
		vi.useFakeTimers();
		serve();
		const calls = answerActions({ submit_item: [answered("refused")] });
		store(keptItem({ state: "kept", at: Date.now() - 3 * DAY_MS }));
		startPage(page);
		await vi.advanceTimersByTimeAsync(DAY_MS - 1);
		expect([line(), hidden(), document.body.dataset.items]).toEqual([
			WORDS.refused,
			false,
			"refused",
		]);
		expect(document.getElementById("not-linked"), "of the bank").toBeNull();
		openPage();
		serve();
		startPage(page);
		expect([line(), document.getElementById("not-linked") === null]).toEqual([
			WORDS.refused,
			false,
		]);
		page.items.keep(SESSION, { ...second, at: Date.now() });
		expect([line(), hidden()], "another one is kept").toEqual([
			WORDS.refused,
			true,
		]);
		await vi.advanceTimersByTimeAsync(1);
		expect(stateOf()).toBeUndefined();
		expect(
			calls.filter(({ input }) => (input as KeptItem).itemId === "item-1"),
		).toHaveLength(1);
	});

	test("follows another tab, which adds or finishes items", () => {
		serve();
		answerActions({ submit_item: ["offline"] });
		page.items.keep(SESSION, first);
		startPage(page);
		for (const [items, text] of [
			[[], ""],
			[[second], WORDS.kept],
			[[], ""],
		] as const) {
			store(...items);
			window.dispatchEvent(new Event("storage"));
			expect(line()).toBe(text);
		}
		expect([stateOf("item-1"), stateOf("item-2")]).toEqual([
			undefined,
			undefined,
		]);
	});
});

describe("without a working store", () => {
	const fail = () => {
		throw new DOMException("no", "QuotaExceededError");
	};
	const breaks: [string, () => void][] = [
		["is missing", () => vi.stubGlobal("localStorage", null)],
		[
			"is full",
			() => vi.spyOn(Storage.prototype, "setItem").mockImplementation(fail),
		],
		[
			"drops what is written",
			() => vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {}),
		],
		[
			"denies access",
			() => {
				for (const method of ["getItem", "setItem", "removeItem"] as const)
					vi.spyOn(Storage.prototype, method).mockImplementation(fail);
			},
		],
	];

	test.each(breaks)(
		"the page holds its items if it %s",
		async (_what, breakStore) => {
			breakStore();
			const calls = answerActions({
				finish_connect: [answered("kept")],
				submit_item: ["offline", answered("accepted")],
			});
			const pending = keptItem({ kind: "pending", waits: true });
			page.items.keep(SESSION, pending);
			expect(page.items.isStored()).toBe(false);
			await page.items.finish(SESSION, pending);
			expect(stateOf()).toBe("kept");
			for (let times = 0; times < 3; times += 1) await submit();
			expect(calls.map(({ action }) => action)).toEqual([
				"finish_connect",
				"submit_item",
				"submit_item",
			]);
			for (const { input } of calls)
				expect(input).toMatchObject({ kind: "pending", waits: true });
			expect(calls).toMatchObject([{ input: { again: false } }, {}, {}]);
			expect(stateOf()).toBeUndefined();
		},
	);

	test.each(["{", '{"itemId":"item-1"}', "null"])(
		"a store that holds %s is written anew",
		async (rubbish) => {
			answerActions({ finish_connect: [answered("kept")] });
			localStorage.setItem(KEY, rubbish);
			page.items.keep(SESSION, keptItem());
			expect([page.items.isStored(), stored()]).toMatchObject([
				true,
				[{ state: "new" }],
			]);
			localStorage.setItem(KEY, rubbish);
			expect(stateOf()).toBe("new");
			await page.items.finish(SESSION, keptItem());
			expect(stored()).toMatchObject([{ state: "kept" }]);
		},
	);

	test("an item that the API has stays forgotten, and one of another tab is added", async () => {
		const calls = answerActions({
			submit_item: [answered("accepted"), "offline"],
		});
		store(first, second);
		const setItem = vi
			.spyOn(Storage.prototype, "setItem")
			.mockImplementation(fail);
		await submit();
		setItem.mockRestore();
		expect(calls).toHaveLength(2);
		const third = keptItem({ itemId: "item-3" });
		store(first, third);
		expect([stateOf("item-1"), stateOf("item-3")]).toEqual([undefined, "new"]);
		page.items.keep(SESSION, second);
		expect(stored()).toEqual([second, third]);
	});
});
