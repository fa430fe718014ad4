import { expect, test, vi } from "vitest";
import { page, toasts } from "../testing/page";

const toast = (kind: "error" | "info", message: string) =>
	page.toast(kind, message);

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
	page.toastQuietly("error", "x");
	expect(toasts()).toEqual(["x"]);
	const shown = document.querySelector("#toasts .toast--error");
	expect(shown).toHaveAttribute("aria-live", "off");
	toast("error", "x");
	expect(shown, "the same once more, aloud").not.toHaveAttribute("aria-live");
});

test("the container of the toasts is a landmark while it is not empty", () => {
	vi.useFakeTimers();
	const box = document.getElementById("toasts");
	const other = document.body.appendChild(document.createElement("div"));
	const names = () =>
		[box, other].map((one) => [
			one?.getAttribute("role"),
			one?.getAttribute("aria-label"),
		]);
	const [none, named] = [
		[null, null],
		["region", "Avisos"],
	];
	expect(names()).toEqual([none, none]);
	toast("error", "x");
	expect(names()).toEqual([named, none]);
	const showAsBefore = page.showToastsIn(other);
	expect(names()).toEqual([none, named]);
	showAsBefore();
	expect(names()).toEqual([named, none]);
	vi.advanceTimersByTime(5000);
	expect(names()).toEqual([none, none]);
});
