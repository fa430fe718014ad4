import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { answerActions, page } from "../testing/page";

const CARD =
	'<div id="islands-failed" hidden><p tabindex="-1">Falta uma parte</p><a href="">Recarregar a página</a></div>';
const ISLAND =
	'<leptos-island><div data-react="connect"><button type="button">Abrir</button></div></leptos-island>';
const FORM =
	'<leptos-island><div data-react="consent"><form data-standalone></form></div></leptos-island>';

/** Removes the listeners of the previous test from the window. */
let watching: AbortController;

beforeEach(async () => {
	vi.useFakeTimers();
	vi.resetModules();
	watching?.abort();
	watching = new AbortController();
	const { signal } = watching;
	const listen = window.addEventListener.bind(window);
	vi.spyOn(window, "addEventListener").mockImplementation(
		(type, listener, options) =>
			listen(type, listener, { ...Object(options), signal }),
	);
	await import("./missing");
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

test("shows the card if a script does not load, and reports it", async () => {
	const calls = answerActions({});
	document.body.innerHTML = `<script type="module"></script>${CARD}${ISLAND}`;
	document.querySelector("script")?.dispatchEvent(new Event("error"));
	expect([card()?.hidden, state()]).toEqual([false, "failed"]);
	const reason = "Error: a script does not load";
	expect(calls).toMatchObject([
		{ action: "report_island", input: { island: "page", reason } },
	]);
});

test("shows the card if the island does not work within 15 seconds, and hides it if it works later", () => {
	document.body.innerHTML = CARD + ISLAND;
	vi.advanceTimersByTime(14_999);
	expect(card()?.hidden).toBe(true);
	vi.advanceTimersByTime(1);
	expect([card()?.hidden, state()]).toEqual([false, "failed"]);
	page.islands.hydrated();
	expect([card()?.hidden, state()]).toEqual([true, "alive"]);
});

test("reports a wasm module that crashes after the card was shown because it is late", () => {
	const calls = answerActions({});
	document.body.innerHTML = CARD + ISLAND;
	vi.advanceTimersByTime(15_000);
	expect(calls).toEqual([]);
	crash(new WebAssembly.RuntimeError("unreachable"));
	const reason = "RuntimeError: unreachable";
	expect(calls).toMatchObject([
		{ action: "report_island", input: { island: "wasm", reason } },
	]);
});

test("the title takes the focus from the card when the island works later", () => {
	document.body.innerHTML = `${CARD}<h1 class="step__title" tabindex="-1">Título</h1>${ISLAND}`;
	vi.advanceTimersByTime(15_000);
	expect(screen.getByText("Falta uma parte")).toHaveFocus();
	page.islands.hydrated();
	expect(screen.getByRole("heading", { name: "Título" })).toHaveFocus();
});

test("leaves the focus outside of the card when the island works later", () => {
	document.body.innerHTML = `${CARD}<a href="/outra">Outra</a>${ISLAND}`;
	vi.advanceTimersByTime(15_000);
	const link = screen.getByRole("link", { name: "Outra" });
	link.focus();
	page.islands.hydrated();
	expect(link).toHaveFocus();
});

test("shows no card if the island works in time", () => {
	document.body.innerHTML = CARD + ISLAND;
	page.islands.hydrated();
	vi.advanceTimersByTime(20_000);
	expect([card()?.hidden, state()]).toEqual([true, "alive"]);
});

test.each([
	["stall", () => vi.advanceTimersByTime(20_000)],
	["do not load", () => reject(new TypeError("Failed to fetch"))],
])(
	"shows no card for files that %s next to a standalone form",
	(_what, miss) => {
		answerActions({});
		document.body.innerHTML = CARD + FORM;
		miss();
		expect(card()?.hidden).toBe(true);
	},
);

test("reports a wasm module that does not load once, and focuses the card", () => {
	const calls = answerActions({});
	document.body.innerHTML = CARD + ISLAND;
	const logged = [
		new TypeError("Failed to fetch"),
		new TypeError("something else"),
	].map(reject);
	expect(logged).toEqual([false, false]);
	expect(card()?.hidden).toBe(false);
	expect(
		screen.getByText("Falta uma parte"),
		"so that screen readers read it",
	).toHaveFocus();
	expect(card(), "an alert would be read twice").not.toHaveAttribute("role");
	expect(state()).toBe("failed");
	expect(calls).toMatchObject([
		{
			action: "report_island",
			input: { island: "wasm", reason: "TypeError: Failed to fetch" },
			init: { keepalive: true },
		},
	]);
});

test.each([
	["title", '<h1 tabindex="-1">Título</h1>'],
	["field of an island that is hidden", "<div hidden><input></div>"],
])("the card takes the focus from a %s", (_what, html) => {
	answerActions({});
	document.body.innerHTML = CARD + html + ISLAND;
	document.querySelector<HTMLElement>("h1, input")?.focus();
	reject(new TypeError("Failed to fetch"));
	expect(screen.getByText("Falta uma parte")).toHaveFocus();
});

test("leaves the focus on a control, and inserts the card as an alert", () => {
	answerActions({});
	document.body.innerHTML = `${CARD}<a href="/outra">Outra</a>${ISLAND}`;
	const before = card();
	const link = screen.getByRole("link", { name: "Outra" });
	link.focus();
	reject(new TypeError("Failed to fetch"));
	expect(screen.getByRole("alert")).not.toBe(before);
	expect(link).toHaveFocus();
});

test("ignores other errors once the island works", () => {
	document.body.innerHTML = CARD + ISLAND;
	page.islands.hydrated();
	expect(reject(new Error("later")), "the browser logs it").toBe(true);
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
		page.islands.hydrated();
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

test("reports a React island that could not be mounted, and shows the card", () => {
	const calls = answerActions({});
	document.body.innerHTML = CARD + ISLAND;
	page.islands.islandFailed(host(), new Error("broken"));
	expect([card()?.hidden, state()]).toEqual([false, "failed"]);
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
	page.islands.islandFailed(host(), "no error");
	expect(card()?.hidden).toBe(true);
	expect(calls).toMatchObject([
		{ input: { island: "consent", reason: "unknown" } },
	]);
});
