import { expect, test, vi } from "vitest";

test.each([
	[
		"does not load",
		() => document.querySelector("script")?.dispatchEvent(new Event("error")),
	],
	["stalls for 15 seconds", () => vi.advanceTimersByTime(15_000)],
])("shows the card if the page's module %s", async (_what, fail) => {
	vi.useFakeTimers();
	vi.resetModules();
	await import("./missing");
	document.body.innerHTML =
		'<script type="module"></script><div id="islands-failed" hidden></div>';
	delete document.body.dataset.islands;
	const card = () => document.getElementById("islands-failed");
	vi.advanceTimersByTime(14_999);
	expect(card()?.hidden).toBe(true);
	fail();
	expect(card()?.hidden).toBe(false);
});
