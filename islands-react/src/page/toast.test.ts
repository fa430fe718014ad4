import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { page, toasts } from "../testing/page";

const toast = (kind: "error" | "info", message: string) =>
	page.toasts.toast(kind, message);

test("shows a message for five seconds; a repeated message moves to the end and starts again", () => {
	vi.useFakeTimers();
	toast("error", "<b>x</b>");
	toast("info", "y");
	expect(document.querySelector(".toast")?.className).toBe(
		"toast toast--error",
	);
	vi.advanceTimersByTime(4000);
	for (let times = 0; times < 4; times += 1) toast("error", "<b>x</b>");
	expect(toasts()).toEqual(["y", "<b>x</b>"]);
	vi.advanceTimersByTime(4999);
	expect(toasts()).toEqual(["<b>x</b>"]);
	vi.advanceTimersByTime(1);
	expect(toasts()).toEqual([]);
	toast("error", "<b>x</b>");
	expect(toasts()).toEqual(["<b>x</b>"]);
});

test("a repeated message does not take the focus out of its toast", () => {
	toast("error", "x");
	toast("info", "y");
	const close = document.querySelector<HTMLElement>(".toast button");
	close?.focus();
	toast("error", "x");
	expect(close).toHaveFocus();
});

test("a quiet toast is shown but not announced", () => {
	page.toasts.toastQuietly("error", "x");
	expect(toasts()).toEqual(["x"]);
	const shown = document.querySelector("#toasts .toast--error");
	expect(shown?.closest("[aria-live]")).toBeNull();
	toast("error", "x");
	expect(
		shown?.closest("[aria-live=assertive]"),
		"the same once more, aloud",
	).not.toBeNull();
});

test("toasts move to another container and back, and remain announced or quiet", () => {
	const other = document.body.appendChild(document.createElement("div"));
	other.innerHTML = '<div aria-live="assertive"></div>';
	const isAnnounced = () =>
		[...document.querySelectorAll(".toast")].map((one) => [
			other.contains(one),
			one.closest("[aria-live]") !== null,
		]);
	page.toasts.toastQuietly("error", "quiet");
	toast("error", "announced");
	const showAsBefore = page.toasts.showToastsIn(other);
	toast("info", "while");
	expect(isAnnounced()).toEqual([
		[true, false],
		[true, true],
		[true, true],
	]);
	showAsBefore();
	expect(isAnnounced()).toEqual([
		[false, false],
		[false, true],
		[false, true],
	]);
});

test("toasts are landmarks with different names", () => {
	const names = () =>
		screen
			.queryAllByRole("region")
			.map((one) => one.getAttribute("aria-label"));
	toast("error", "x");
	toast("info", "y");
	document.querySelector<HTMLElement>(".toast button")?.click();
	toast("error", "z");
	expect(names()).toEqual(["Aviso 2", "Aviso 3"]);
	for (const close of document.querySelectorAll<HTMLElement>(".toast button"))
		close.click();
	toast("info", "y");
	expect(names()).toEqual(["Aviso"]);
});
