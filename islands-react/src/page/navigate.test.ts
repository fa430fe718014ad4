import { beforeEach, describe, expect, test, vi } from "vitest";
import { page, toasts, watchLocation } from "../testing/page";
import { type Outcome, removeMark, watchReturn } from "./navigate";

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
	const { replace: sent } = watchLocation();
	page.replace(to, "done");
	expect(sent.mock.calls).toEqual([[target]]);
});

describe("a navigation that has stalled for eight seconds", () => {
	beforeEach(() => {
		vi.useFakeTimers();
	});

	test.each<[Outcome, string]>([
		["done", "Pronto. Continuar"],
		["not done", "Continuar"],
	])(
		"offers a link until the page is left; what was asked for is %s",
		(outcome, notice) => {
			const { replace: sent } = watchLocation();
			const freed = vi.fn();
			window.addEventListener("vincula-resumed", freed, { once: true });
			page.replace("/integration/accounts", outcome);
			vi.advanceTimersByTime(7999);
			expect([toasts(), freed.mock.calls]).toEqual([[], []]);
			vi.advanceTimersByTime(1);
			expect(freed).toHaveBeenCalledOnce();
			vi.advanceTimersByTime(60_000);
			const link = document.querySelector<HTMLAnchorElement>(".toast a");
			expect(link).toHaveAttribute("href", "/integration/accounts");
			link?.click();
			expect(sent.mock.calls).toEqual([
				["/integration/accounts"],
				["/integration/accounts"],
			]);
			vi.advanceTimersByTime(8000);
			expect(toasts()).toEqual([notice]);
		},
	);

	test("is continued by a press, which then does nothing else", () => {
		const { replace: sent } = watchLocation();
		page.replace("/cancel/success", "done");
		vi.advanceTimersByTime(7999);
		expect(page.continueLeaving()).toBe(false);
		vi.advanceTimersByTime(1);
		expect([page.continueLeaving(), page.continueLeaving()]).toEqual([
			true,
			true,
		]);
		expect(sent).toHaveBeenCalledTimes(3);
	});
});

describe("once the person has edited what was sent", () => {
	beforeEach(() => {
		vi.useFakeTimers();
	});

	test.each([
		["before the navigation stalls", 4000, 0],
		["while the page offers a link", 8000, 1],
	])("%s, neither a toast nor a button navigates", (_when, edited, times) => {
		const { replace: sent } = watchLocation();
		const freed = vi.fn();
		window.addEventListener("vincula-resumed", freed, { once: true });
		page.replace("/integration/widget", "done");
		vi.advanceTimersByTime(edited);
		page.withdrawLink();
		vi.advanceTimersByTime(8000);
		expect(freed, "what is busy by then is new").toHaveBeenCalledTimes(times);
		expect(toasts()).toEqual([]);
		expect(page.continueLeaving()).toBe(false);
		expect(sent).toHaveBeenCalledOnce();
	});

	test("the next stalled navigation offers its own link", () => {
		watchLocation();
		page.replace("/integration/widget", "done");
		page.withdrawLink();
		page.replace("/integration/widget", "done");
		vi.advanceTimersByTime(8000);
		expect(toasts()).toEqual(["Pronto. Continuar"]);
	});
});

test.each([true, false])(
	"a page that is shown resumes if it comes from the back/forward cache: %s",
	(persisted) => {
		const freed = vi.fn();
		window.addEventListener("vincula-resumed", freed, { once: true });
		watchReturn();
		window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted }));
		expect(freed).toHaveBeenCalledTimes(persisted ? 1 : 0);
	},
);

test.each([
	[
		"/integration/widget?validado=1&aviso=sem-resposta#a",
		"/integration/widget?aviso=sem-resposta#a",
	],
	["/integration/widget?xvalidado=1", "/integration/widget?xvalidado=1"],
])("removes only the mark from %s", (address, left) => {
	history.replaceState({ kept: true }, "", address);
	removeMark();
	expect(location.pathname + location.search + location.hash).toBe(left);
	expect(history.state).toEqual({ kept: true });
});
