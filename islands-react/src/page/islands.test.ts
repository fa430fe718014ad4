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

// Then the page listens to the window no more.
afterEach(() => {
	page.hydrated();
	page.hydrated();
});

const card = () => document.getElementById("islands-failed");
const state = () => document.body.dataset.islands;
const host = () =>
	document.querySelector<HTMLElement>("[data-react]") as HTMLElement;

/** Leaves an error to the window, as Leptos' script does. Returns whether the browser would write it to the console. */
function reject(reason: unknown): boolean {
	return window.dispatchEvent(
		Object.assign(new Event("unhandledrejection", { cancelable: true }), {
			reason,
		}),
	);
}

test("a page is alive once all of its islands work", () => {
	document.body.innerHTML = CARD + ISLAND + ISLAND;
	page.watchIslands();
	page.hydrated();
	expect(state()).toBe("waiting");
	page.hydrated();
	expect(state()).toBe("alive");
});

test("the last press of a button before its island works is repeated", () => {
	document.body.innerHTML = CARD + ISLAND;
	page.watchIslands();
	const button = document.querySelector("button");
	button?.click();
	const pressed = vi.fn();
	button?.addEventListener("click", pressed);
	page.hydrated();
	expect(pressed).toHaveBeenCalledTimes(1);
});

test("a module that stalls for 15 seconds is said to be missing, and is used if it comes all the same", () => {
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

test("a module that stalls puts no card beside a form that works by itself", () => {
	document.body.innerHTML = CARD + FORM;
	vi.useFakeTimers();
	page.watchIslands();
	vi.advanceTimersByTime(20_000);
	expect(card()?.hidden).toBe(true);
});

test("a module that does not load is reported once, and the card about it has the focus", () => {
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
	expect(card(), "which would read it twice").not.toHaveAttribute("role");
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
])("the card takes the focus of a %s", (_what, html) => {
	document.body.innerHTML = CARD + html + ISLAND;
	document.querySelector<HTMLElement>("h1, input")?.focus();
	page.watchIslands();
	reject(new TypeError("Failed to fetch"));
	expect(document.querySelector("p")).toHaveFocus();
});

test("a person who operates something keeps the focus, and an alert about the card comes into the page", () => {
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

test("an error after all islands work is not taken for a module that did not load", () => {
	document.body.innerHTML = CARD + ISLAND;
	page.watchIslands();
	page.hydrated();
	reject(new Error("later"));
	expect([card()?.hidden, state()]).toEqual([true, "alive"]);
});

test("a card takes the place of a screen of React that could not be mounted", () => {
	const calls = answerActions({});
	document.body.innerHTML = CARD + ISLAND;
	page.watchIslands();
	page.islandFailed(host(), new Error("broken"));
	expect([host().hidden, card()?.hidden]).toEqual([true, false]);
	expect(calls).toMatchObject([
		{
			action: "report_island",
			input: { island: "connect", reason: "Error: broken" },
		},
	]);
});

test("a form that works by itself stays if React could not be mounted", () => {
	const calls = answerActions({});
	document.body.innerHTML = CARD + FORM;
	page.watchIslands();
	page.islandFailed(host(), new Error("broken"));
	expect([host().hidden, card()?.hidden]).toEqual([false, true]);
	expect(calls).toMatchObject([
		{ action: "report_island", input: { island: "consent" } },
	]);
});
