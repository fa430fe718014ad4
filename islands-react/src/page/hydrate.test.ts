import { expect, test, vi } from "vitest";
import { hydrateStep } from "./hydrate";

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

test("waits another 400 ms after the second frame if a form works without React", async () => {
	vi.useFakeTimers();
	document.body.innerHTML = "<form data-standalone></form>";
	const { calls, files } = glue();
	const hydrated = hydrateStep(files);
	await vi.advanceTimersByTimeAsync(2 * 16 + 400);
	// Time for the module, if it were requested already.
	await import(`${files.glue}//`);
	expect(calls).toEqual([]);
	await vi.advanceTimersByTimeAsync(1);
	await hydrated;
	expect(calls).toHaveLength(2);
});

test("rejects if the module does not load", async () => {
	await expect(
		hydrateStep({ glue: "/no-such-module.js", wasm: "/no-such-module.wasm" }),
	).rejects.toThrow();
});
