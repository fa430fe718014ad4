import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { announcedToasts, page, toasts } from "../testing/page";

const TEXT = "Houve falha na requisição.";

test("is shown for five seconds; if it is shown again, they start again", () => {
	vi.useFakeTimers();
	page.toast.show();
	expect(toasts()).toEqual([TEXT]);
	expect(screen.getByRole("region", { name: "Aviso" })).toBeVisible();
	vi.advanceTimersByTime(4000);
	for (let times = 0; times < 4; times += 1) page.toast.show();
	vi.advanceTimersByTime(4999);
	expect(toasts()).toEqual([TEXT]);
	vi.advanceTimersByTime(1);
	expect(toasts()).toEqual([]);
	page.toast.show();
	expect(toasts()).toEqual([TEXT]);
});

test("does not lose the focus if it is shown again", () => {
	page.toast.show();
	const close = screen.getByRole("button", { name: "Fechar" });
	close.focus();
	page.toast.show();
	expect(close).toHaveFocus();
});

test("is not announced if it is quiet", () => {
	page.toast.showQuietly();
	expect(toasts()).toEqual([TEXT]);
	expect(announcedToasts()).toEqual([]);
	page.toast.show();
	expect(announcedToasts(), "the same once more, aloud").toEqual([TEXT]);
});

test.each([
	["quiet", "showQuietly", []],
	["announced", "show", [TEXT]],
] as const)(
	"moves to another container and back, and remains %s",
	(_how, show, announced) => {
		const other = document.body.appendChild(document.createElement("div"));
		other.innerHTML = '<div aria-live="assertive"></div>';
		const isInOther = () => within(other).queryByRole("region") !== null;
		page.toast[show]();
		const showAsBefore = page.toast.showIn(other);
		expect([isInOther(), toasts()]).toEqual([true, [TEXT]]);
		expect(announcedToasts()).toEqual(announced);
		showAsBefore();
		expect([isInOther(), toasts()]).toEqual([false, [TEXT]]);
		expect(announcedToasts()).toEqual(announced);
	},
);

test("is shown in the other container until that is closed", () => {
	const other = document.body.appendChild(document.createElement("div"));
	other.innerHTML = '<div aria-live="assertive"></div>';
	const showAsBefore = page.toast.showIn(other);
	expect(toasts()).toEqual([]);
	page.toast.show();
	expect(within(other).getByRole("region")).toBeVisible();
	showAsBefore();
	expect(toasts()).toEqual([TEXT]);
	expect(within(other).queryByRole("region")).toBeNull();
});
