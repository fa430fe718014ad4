import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { page, REQUEST_FAILED, toasts } from "../testing/page";

test("is shown for five seconds; if it is shown again, they start again", () => {
	vi.useFakeTimers();
	page.toast.show();
	expect(toasts()).toEqual([REQUEST_FAILED]);
	const toast = screen.getByRole("region", { name: "Aviso" });
	expect(toast).toBeVisible();
	expect(toast.parentElement, "it is announced").toHaveAttribute("aria-live");
	vi.advanceTimersByTime(4000);
	for (let times = 0; times < 4; times += 1) page.toast.show();
	vi.advanceTimersByTime(4999);
	expect(toasts()).toEqual([REQUEST_FAILED]);
	vi.advanceTimersByTime(1);
	expect(toasts()).toEqual([]);
	page.toast.show();
	expect(toasts()).toEqual([REQUEST_FAILED]);
});

test("does not lose the focus if it is shown again", () => {
	page.toast.show();
	const close = screen.getByRole("button", { name: "Fechar" });
	close.focus();
	page.toast.show();
	expect(close).toHaveFocus();
});

test("moves to another live region and back", () => {
	const other = document.body.appendChild(document.createElement("div"));
	page.toast.show();
	const showAsBefore = page.toast.showIn(other);
	expect([within(other).queryAllByRole("region").length, toasts()]).toEqual([
		1,
		[REQUEST_FAILED],
	]);
	showAsBefore();
	expect(within(other).queryByRole("region")).toBeNull();
	expect(toasts()).toEqual([REQUEST_FAILED]);
});

test("is shown in the other live region until that is closed", () => {
	const other = document.body.appendChild(document.createElement("div"));
	const showAsBefore = page.toast.showIn(other);
	expect(toasts()).toEqual([]);
	page.toast.show();
	expect(within(other).getByRole("region")).toBeVisible();
	showAsBefore();
	expect(toasts()).toEqual([REQUEST_FAILED]);
	expect(within(other).queryByRole("region")).toBeNull();
});
