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

/** An error that was thrown in this file. */
function thrownIn<E extends Error>(file: string, error: E): E {
	error.stack = `${error.name}: ${error.message}\n    at f (${file}:1:1)`;
	return error;
}

const WASM = `${location.origin}/pkg/vincula.wasm`;
const EXTENSION = "chrome-extension://abcdef/inject.js";

const trap = (file = WASM) =>
	thrownIn(file, new WebAssembly.RuntimeError("unreachable"));

const notLoaded = () =>
	new TypeError(
		`Failed to fetch dynamically imported module: ${location.origin}/pkg/vincula.js`,
	);

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

/** Fires the event of a script that does not load. */
function loseScript(src?: string): void {
	const script = document.createElement("script");
	script.type = "none";
	if (src !== undefined) script.src = src;
	document.body.append(script);
	script.dispatchEvent(new Event("error"));
}

const reported = (island: string, reason: string) => ({
	action: "report_island",
	input: { island, reason },
});

test("shows the card if one of our scripts does not load, and reports it", () => {
	const calls = answerActions({});
	document.body.innerHTML = CARD + ISLAND;
	loseScript("/islands/page-ABC.js");
	expect([card()?.hidden, state()]).toEqual([false, "failed"]);
	expect(calls).toMatchObject([
		reported("page", "Error: a script does not load"),
	]);
});

test.each<[string, () => unknown]>([
	["a script of an extension that does not load", () => loseScript(EXTENSION)],
	[
		"a script of another site that the policy blocks",
		() => loseScript("https://beacon.example/pkg/beacon.js"),
	],
	["a script of this host that is not ours", () => loseScript("/cdn-cgi/x.js")],
	["an inline script that the policy blocks", () => loseScript()],
	["an exception of an inline script", () => crash(new Error("theirs"))],
	[
		"a rejection of an injected bridge",
		() => reject(thrownIn(EXTENSION, new Error("theirs"))),
	],
	["a rejection without an error", () => reject("theirs")],
	["a trap of an extension's module", () => crash(trap(EXTENSION))],
])(
	"ignores %s, before and after the island works, keeps the focus, and reports a later crash",
	(_what, happen) => {
		const calls = answerActions({});
		document.body.innerHTML = `${CARD}<h1 tabindex="-1">Título</h1>${ISLAND}`;
		const title = screen.getByRole("heading");
		title.focus();
		for (const work of [() => {}, page.hydrated]) {
			work();
			const isLogged = happen();
			expect(isLogged ?? true, "the browser logs a rejection").toBe(true);
			expect([card()?.hidden, state() === "failed"]).toEqual([true, false]);
			expect(title).toHaveFocus();
		}
		expect(calls).toEqual([]);
		crash(trap());
		expect(card()?.hidden).toBe(false);
		expect(calls).toMatchObject([
			reported("wasm", "RuntimeError: unreachable"),
		]);
	},
);

test("shows the card if the island does not work within 15 seconds, and hides it if it works later", () => {
	const calls = answerActions({});
	document.body.innerHTML = CARD + ISLAND;
	vi.advanceTimersByTime(14_999);
	expect(card()?.hidden).toBe(true);
	vi.advanceTimersByTime(1);
	expect([card()?.hidden, state()]).toEqual([false, "failed"]);
	expect(calls).toMatchObject([reported("page", "Error: no island works yet")]);
	page.hydrated();
	expect([card()?.hidden, state()]).toEqual([true, "alive"]);
});

test("shows and reports a wasm module that crashes after a false alarm", () => {
	document.body.innerHTML = CARD + ISLAND;
	answerActions({});
	vi.advanceTimersByTime(15_000);
	page.hydrated();
	const calls = answerActions({});
	crash(trap());
	expect([card()?.hidden, state()]).toEqual([false, "failed"]);
	expect(calls).toMatchObject([reported("wasm", "RuntimeError: unreachable")]);
});

test("the title takes the focus from the card when the island works later", () => {
	answerActions({});
	document.body.innerHTML = `${CARD}<h1 class="step__title" tabindex="-1">Título</h1>${ISLAND}`;
	vi.advanceTimersByTime(15_000);
	expect(screen.getByText("Falta uma parte")).toHaveFocus();
	page.hydrated();
	expect(screen.getByRole("heading", { name: "Título" })).toHaveFocus();
});

test("leaves the focus outside of the card when the island works later", () => {
	answerActions({});
	document.body.innerHTML = `${CARD}<a href="/outra">Outra</a>${ISLAND}`;
	vi.advanceTimersByTime(15_000);
	const link = screen.getByRole("link", { name: "Outra" });
	link.focus();
	page.hydrated();
	expect(link).toHaveFocus();
});

test("shows no card if the island works in time", () => {
	document.body.innerHTML = CARD + ISLAND;
	page.hydrated();
	vi.advanceTimersByTime(20_000);
	expect([card()?.hidden, state()]).toEqual([true, "alive"]);
});

test("files that stall next to a standalone form are no failure", () => {
	const calls = answerActions({});
	document.body.innerHTML = CARD + FORM;
	vi.advanceTimersByTime(20_000);
	expect([card()?.hidden, state()]).toEqual([true, undefined]);
	expect(calls).toEqual([]);
});

test("files that do not load next to a standalone form are reported without a card", () => {
	const calls = answerActions({});
	document.body.innerHTML = CARD + FORM;
	reject(notLoaded());
	expect(card()?.hidden).toBe(true);
	expect(calls).toMatchObject([{ input: { island: "wasm" } }]);
});

test("reports a wasm module that does not load once, and focuses the card", () => {
	const calls = answerActions({});
	document.body.innerHTML = CARD + ISLAND;
	const glue = `${location.origin}/pkg/vincula.js`;
	const logged = [
		thrownIn(glue, new TypeError("Failed to fetch")),
		notLoaded(),
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
			...reported("wasm", "TypeError: Failed to fetch"),
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
	reject(notLoaded());
	expect(screen.getByText("Falta uma parte")).toHaveFocus();
});

test("leaves the focus on a control, and inserts the card as an alert", () => {
	answerActions({});
	document.body.innerHTML = `${CARD}<a href="/outra">Outra</a>${ISLAND}`;
	const before = card();
	const link = screen.getByRole("link", { name: "Outra" });
	link.focus();
	reject(notLoaded());
	expect(screen.getByRole("alert")).not.toBe(before);
	expect(link).toHaveFocus();
});

test.each([
	["task", reject],
	["timer", crash],
])(
	"reports a wasm module that crashes in a %s after hydration once, and shows the card",
	(_where, happen) => {
		const calls = answerActions({});
		document.body.innerHTML = CARD + ISLAND;
		page.hydrated();
		happen(trap());
		happen(trap());
		expect([card()?.hidden, state()]).toEqual([false, "failed"]);
		expect(calls).toMatchObject([
			reported("wasm", "RuntimeError: unreachable"),
		]);
	},
);

test("reports a React island that does not work, and shows the card", () => {
	const calls = answerActions({});
	document.body.innerHTML = CARD + ISLAND;
	page.fail("connect", new Error("broken"));
	expect([card()?.hidden, state()]).toEqual([false, "failed"]);
	expect(calls).toMatchObject([reported("connect", "Error: broken")]);
});

test("a browser older than the baseline gets neither card nor report", () => {
	const calls = answerActions({});
	document.documentElement.dataset.outdated = "";
	document.body.innerHTML = CARD + ISLAND;
	reject(notLoaded());
	delete document.documentElement.dataset.outdated;
	expect([card()?.hidden, state()]).toEqual([true, "failed"]);
	expect(calls).toEqual([]);
});

test("keeps a standalone form if React could not be mounted", () => {
	const calls = answerActions({});
	document.body.innerHTML = CARD + FORM;
	page.fail("consent", "no error");
	expect(card()?.hidden).toBe(true);
	expect(calls).toMatchObject([reported("consent", "unknown")]);
});
