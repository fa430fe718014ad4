import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answerActions, page } from "../testing/page";

const CARD =
	'<div id="islands-failed" hidden><p tabindex="-1">Falta uma parte</p><a href="">Recarregar a página</a></div>';
const ISLAND =
	'<leptos-island><div data-react="connect"><button type="button">Abrir</button></div></leptos-island>';
const FORM =
	'<leptos-island><div data-react="consent"><form data-standalone></form></div></leptos-island>';

beforeEach(() => {
	delete document.body.dataset.islands;
});

// Removes the page's listeners from the window.
afterEach(() => {
	answerActions({});
	page.wasmFailed(new Error("the end of the test"));
});

const card = () => document.getElementById("islands-failed");
const state = () => document.body.dataset.islands;
const host = () =>
	document.querySelector<HTMLElement>("[data-react]") as HTMLElement;

/** Fires the event of an exception that nothing has caught. */
function crash(error: unknown): void {
	window.dispatchEvent(new ErrorEvent("error", { error }));
}

/** Fires an unhandled rejection. Returns whether the browser would log it to the console. */
function reject(reason: unknown): boolean {
	return window.dispatchEvent(
		Object.assign(new Event("unhandledrejection", { cancelable: true }), {
			reason,
		}),
	);
}

test("the page is alive once all of its islands work", () => {
	document.body.innerHTML = CARD + ISLAND + ISLAND;
	page.watchIslands();
	page.hydrated();
	expect(state()).toBe("waiting");
	page.hydrated();
	expect(state()).toBe("alive");
});

test("replays the last click on a button before its island was hydrated", () => {
	document.body.innerHTML = CARD + ISLAND;
	page.watchIslands();
	const button = document.querySelector("button");
	button?.click();
	const pressed = vi.fn();
	button?.addEventListener("click", pressed);
	page.hydrated();
	expect(pressed).toHaveBeenCalledTimes(1);
});

test("shows the card for a module that stalls for 15 seconds, and hides it if the module arrives later", () => {
	document.body.innerHTML = CARD + ISLAND;
	vi.useFakeTimers();
	page.watchIslands();
	vi.advanceTimersByTime(14_999);
	expect(card()?.hidden).toBe(true);
	vi.advanceTimersByTime(1);
	expect([card()?.hidden, state()]).toEqual([false, "failed"]);
	page.hydrated();
	expect([card()?.hidden, state()]).toEqual([true, "alive"]);
});

test.each([
	["stalls", () => vi.advanceTimersByTime(20_000)],
	["does not load", () => reject(new TypeError("Failed to fetch"))],
])(
	"shows no card for a module that %s next to a standalone form",
	(_what, fail) => {
		answerActions({});
		document.body.innerHTML = CARD + FORM;
		vi.useFakeTimers();
		page.watchIslands();
		fail();
		expect(card()?.hidden).toBe(true);
	},
);

test("reports a module that does not load once, and focuses the card", () => {
	const calls = answerActions({});
	document.body.innerHTML = CARD + ISLAND;
	page.watchIslands();
	const logged = [
		new TypeError("Failed to fetch"),
		new TypeError("something else"),
	].map(reject);
	expect(logged).toEqual([false, true]);
	expect(card()?.hidden).toBe(false);
	expect(
		document.querySelector("p"),
		"so that screen readers read it",
	).toHaveFocus();
	expect(card(), "an alert would be read twice").not.toHaveAttribute("role");
	expect(state()).toBe("failed");
	expect(calls).toMatchObject([
		{
			action: "report_island",
			input: { island: "wasm", reason: "TypeError: Failed to fetch" },
		},
	]);
});

test.each([
	["title", '<h1 tabindex="-1">Título</h1>'],
	["field of an island that is hidden", "<div hidden><input></div>"],
])("the card takes the focus from a %s", (_what, html) => {
	document.body.innerHTML = CARD + html + ISLAND;
	document.querySelector<HTMLElement>("h1, input")?.focus();
	page.watchIslands();
	reject(new TypeError("Failed to fetch"));
	expect(document.querySelector("p")).toHaveFocus();
});

test("leaves the focus on a control, and inserts the card as an alert", () => {
	document.body.innerHTML = `${CARD}<a href="/outra">Outra</a>${ISLAND}`;
	const before = card();
	document.querySelector<HTMLElement>('[href="/outra"]')?.focus();
	page.watchIslands();
	reject(new TypeError("Failed to fetch"));
	const alerts = [...document.querySelectorAll<HTMLElement>('[role="alert"]')];
	expect(alerts.map((alert) => [alert === before, alert.hidden])).toEqual([
		[false, false],
	]);
	expect(document.querySelector('[href="/outra"]')).toHaveFocus();
});

test("ignores errors after all islands work", () => {
	document.body.innerHTML = CARD + ISLAND;
	page.watchIslands();
	page.hydrated();
	reject(new Error("later"));
	crash(new Error("later"));
	expect([card()?.hidden, state()]).toEqual([true, "alive"]);
});

test.each([
	["task", reject],
	["timer", crash],
])(
	"reports a wasm module that crashes in a %s after hydration once, and shows the card",
	(_where, fail) => {
		const calls = answerActions({});
		document.body.innerHTML = CARD + ISLAND;
		page.watchIslands();
		page.hydrated();
		fail(new WebAssembly.RuntimeError("unreachable"));
		fail(new WebAssembly.RuntimeError("unreachable"));
		expect([card()?.hidden, state()]).toEqual([false, "failed"]);
		expect(calls).toMatchObject([
			{
				action: "report_island",
				input: { island: "wasm", reason: "RuntimeError: unreachable" },
			},
		]);
	},
);

test("replaces a React island that could not be mounted by a card", () => {
	const calls = answerActions({});
	document.body.innerHTML = CARD + ISLAND;
	host().insertAdjacentHTML("afterbegin", "<h1>Conexão com o banco</h1>");
	page.watchIslands();
	page.islandFailed(host(), new Error("broken"));
	expect([host().hidden, card()?.hidden]).toEqual([true, false]);
	expect(document.querySelector("h1")?.closest("[hidden]")).toBeNull();
	expect(calls).toMatchObject([
		{
			action: "report_island",
			input: { island: "connect", reason: "Error: broken" },
		},
	]);
});

test("keeps a standalone form if React could not be mounted", () => {
	const calls = answerActions({});
	document.body.innerHTML = CARD + FORM;
	page.watchIslands();
	page.islandFailed(host(), new Error("broken"));
	expect([host().hidden, card()?.hidden]).toEqual([false, true]);
	expect(calls).toMatchObject([
		{ action: "report_island", input: { island: "consent" } },
	]);
});
