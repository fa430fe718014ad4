import { expect, test } from "vitest";
import { hydrateStep } from "./hydrate";

test("passes each island of a step to its own function after the module has started", async () => {
	document.body.innerHTML = `<leptos-island data-component="One"></leptos-island>
    <leptos-island data-component="Two"></leptos-island>`;
	const calls: unknown[] = [];
	Object.assign(globalThis, { told: (...call: unknown[]) => calls.push(call) });
	const glue = `export default async ({ module_or_path }) => told('init', module_or_path);
    export const hydrate = () => told('hydrate');
    export const One = (island) => told('One', island);
    export const Two = (island) => told('Two', island);`;
	await hydrateStep({
		glue: `data:text/javascript,${encodeURIComponent(glue)}`,
		wasm: "/it.wasm",
	});
	const [one, two] = document.querySelectorAll("leptos-island");
	expect(calls).toEqual([
		["init", "/it.wasm"],
		["hydrate"],
		["One", one],
		["Two", two],
	]);
});

test("rejects if the module does not load", async () => {
	await expect(
		hydrateStep({ glue: "/no-such-module.js", wasm: "/no-such-module.wasm" }),
	).rejects.toThrow();
});
