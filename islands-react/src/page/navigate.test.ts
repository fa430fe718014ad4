import { expect, test, vi } from "vitest";
import { page, watchLocation } from "../testing/page";
import { watchReturn } from "./navigate";

const OUTAGE = "/error/token-invalid?falha=servico";

test.each([
	["/", "/"],
	["/error/token-invalid?id=1#a", "/error/token-invalid?id=1#a"],
	["//evil.test", OUTAGE],
	["/\\evil.test", OUTAGE],
	["https://evil.test", OUTAGE],
	["javascript:alert(1)", OUTAGE],
	["", OUTAGE],
	["/a\nb", OUTAGE],
	["/\t/evil", OUTAGE],
])("navigates only to paths of this origin: %j", (to, target) => {
	vi.useFakeTimers();
	const { replace: sent } = watchLocation();
	void page.replace(to);
	expect(sent.mock.calls).toEqual([[target]]);
});

test("a navigation resolves if the page is still there after eight seconds", async () => {
	vi.useFakeTimers();
	watchLocation();
	const stalled = vi.fn();
	void page.replace("/integration/accounts").then(stalled);
	await vi.advanceTimersByTimeAsync(7999);
	expect(stalled).not.toHaveBeenCalled();
	await vi.advanceTimersByTimeAsync(1);
	expect(stalled).toHaveBeenCalledOnce();
});

test("a later navigation cancels the timer of an earlier one", async () => {
	vi.useFakeTimers();
	watchLocation();
	const stalled = vi.fn();
	void page.replace("/integration/accounts").then(() => stalled("first"));
	await vi.advanceTimersByTimeAsync(7000);
	void page.replace("/integration/success").then(() => stalled("second"));
	await vi.advanceTimersByTimeAsync(7999);
	expect(stalled).not.toHaveBeenCalled();
	await vi.advanceTimersByTimeAsync(60_000);
	expect(stalled.mock.calls).toEqual([["second"]]);
});

test.each([true, false])(
	"reloads a page that comes from the back/forward cache: %s",
	(persisted) => {
		const { reload } = watchLocation();
		watchReturn();
		window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted }));
		expect(reload.mock.calls.length > 0).toBe(persisted);
	},
);
