import { expect, test, vi } from "vitest";
import {
	answerActions,
	keptItem,
	putContext,
	watchLocation,
} from "../testing/page";

test("the wasm module submits the items of the page's session, and awaits navigations", async () => {
	vi.useFakeTimers();
	putContext();
	const { replace } = watchLocation();
	const calls = answerActions({ submit_item: [{ body: { item: "kept" } }] });
	localStorage.setItem(
		"vincula-items:s-1",
		JSON.stringify([keptItem({ state: "kept" })]),
	);
	await import("./index");
	await vi.advanceTimersByTimeAsync(0);
	await window.vincula?.submitItems();
	expect(calls.map(({ action }) => action)).toEqual([
		"submit_item",
		"submit_item",
	]);
	const usable = vi.fn();
	const failure = JSON.stringify({ kind: "navigate", to: "/error/x" });
	void window.vincula?.handleFailure(failure).then(usable);
	void window.vincula?.replace("/").then(usable);
	expect(replace.mock.calls).toEqual([["/error/x"], ["/"]]);
	await vi.advanceTimersByTimeAsync(8000);
	expect(usable).toHaveBeenCalledOnce();
});

/** A React screen's module. `mount` is the body of `mount(host, page)`. */
const screenModule = (mount: string) =>
	`data:text/javascript,${encodeURIComponent(`export function mount(host, page) { ${mount} }`)}`;

test("the wasm module mounts a React screen in its host with the page's services", async () => {
	await import("./index");
	const host = document.createElement("div");
	const module = screenModule("host.title = typeof page.client.post");
	await window.vincula?.mount(module, host);
	expect(host.title).toBe("function");
});

test.each([
	["does not load", "data:text/javascript,throw Error('broken')"],
	["throws", screenModule("throw Error('broken')")],
])("a React screen that %s is reported", async (_what, module) => {
	const calls = answerActions({});
	await import("./index");
	const host = document.createElement("div");
	host.dataset.react = "connect";
	await window.vincula?.mount(module, host);
	expect(calls).toMatchObject([
		{
			action: "report_island",
			input: { island: "connect", reason: "Error: broken" },
		},
	]);
});
