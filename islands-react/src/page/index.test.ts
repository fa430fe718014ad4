import { describe, expect, test, vi } from "vitest";
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
	const failure = JSON.stringify({ navigate: { to: "/error/x" } });
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

/** A glue module, and the calls of its exports. */
function glue() {
	const calls: unknown[] = [];
	Object.assign(globalThis, { told: (...call: unknown[]) => calls.push(call) });
	const text = `export default async ({ module_or_path }) => told('init', module_or_path);
    export const hydrate = () => told('hydrate');
    export const One = (island) => told('One', island);
    export const Two = (island) => told('Two', island);`;
	const url = `data:text/javascript,${encodeURIComponent(text)}`;
	return { calls, files: { glue: url, wasm: "/it.wasm" } };
}

test("passes each island of a step to its own function after the module has started", async () => {
	const { hydrateStep } = await import("./index");
	document.body.innerHTML = `<leptos-island data-component="One"></leptos-island>
    <leptos-island data-component="Two"></leptos-island>`;
	const { calls, files } = glue();
	await hydrateStep(files);
	const [one, two] = document.querySelectorAll("leptos-island");
	expect(calls).toEqual([
		["init", "/it.wasm"],
		["hydrate"],
		["One", one],
		["Two", two],
	]);
});

describe("after the task that hydrates the islands", () => {
	const afterTask = async (html: string, hydrate = () => {}) => {
		const { fail } = await import("./failure");
		await import("./index");
		vi.useFakeTimers();
		answerActions({});
		document.body.innerHTML = html;
		document.body.dataset.islands = "failed";
		window.vincula?.beginHydration();
		try {
			hydrate();
		} catch (error) {
			fail("wasm", error);
		}
		vi.runAllTimers();
		return document.body.dataset.islands;
	};

	test("they work, also when their files were late", async () => {
		const html = "<leptos-island></leptos-island>";
		expect(await afterTask(html)).toBe("alive");
	});

	test("they do not work if one has failed", async () => {
		const broken = () => {
			throw new Error("broken");
		};
		const html = "<leptos-island></leptos-island>";
		expect(await afterTask(html, broken)).toBe("failed");
	});

	test("a React screen has yet to report that it works", async () => {
		const html =
			'<leptos-island><div data-react="connect"></div></leptos-island>';
		expect(await afterTask(html)).toBeUndefined();
	});
});

test("reports a module that does not load", async () => {
	const { hydrateStep } = await import("./index");
	const calls = answerActions({});
	await hydrateStep({ glue: "/no-such-module.js", wasm: "/no-such.wasm" });
	expect(calls).toMatchObject([
		{ action: "report_island", input: { island: "wasm" } },
	]);
});
