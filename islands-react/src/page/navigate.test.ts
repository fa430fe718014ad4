import { expect, test, vi } from "vitest";
import { page, watchLocation } from "../testing/page";
import { watchReturn } from "./navigate";

const OUTAGE = "/error/token-invalid?falha=servico";

function freed() {
	const listener = vi.fn();
	window.addEventListener("vincula-resumed", listener, { once: true });
	return listener;
}

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
	page.replace(to);
	expect(sent.mock.calls).toEqual([[target]]);
});

test("busy controls are freed if the page is still there after eight seconds", () => {
	vi.useFakeTimers();
	watchLocation();
	const listener = freed();
	page.replace("/integration/accounts");
	vi.advanceTimersByTime(7999);
	expect(listener).not.toHaveBeenCalled();
	vi.advanceTimersByTime(1);
	expect(listener).toHaveBeenCalledOnce();
});

test.each([true, false])(
	"busy controls are freed if the page comes from the back/forward cache: %s",
	(persisted) => {
		const listener = freed();
		watchReturn();
		window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted }));
		expect(listener).toHaveBeenCalledTimes(persisted ? 1 : 0);
	},
);
