import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { announcedToasts, page, toasts } from "../testing/page";

const toast = (kind: "error" | "info", message: string) =>
	page.toasts.toast(kind, message);

test("shows a message for five seconds; a repeated message moves to the end and starts again", () => {
	vi.useFakeTimers();
	toast("error", "<b>x</b>");
	toast("info", "y");
	expect(screen.getByRole("region", { name: "Aviso" })).toHaveClass(
		"toast--error",
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
	const [close] = screen.getAllByRole("button", { name: "Fechar" });
	close?.focus();
	toast("error", "x");
	expect(close).toHaveFocus();
});

test("a quiet toast is shown but not announced", () => {
	page.toasts.toastQuietly("error", "x");
	expect(toasts()).toEqual(["x"]);
	expect(announcedToasts()).toEqual([]);
	toast("error", "x");
	expect(announcedToasts(), "the same once more, aloud").toEqual(["x"]);
});

test("toasts move to another container and back, and remain announced or quiet", () => {
	const other = document.body.appendChild(document.createElement("div"));
	other.innerHTML = '<div aria-live="assertive"></div>';
	const inOther = () =>
		within(other)
			.queryAllByRole("region")
			.map(({ textContent }) => textContent);
	page.toasts.toastQuietly("error", "quiet");
	toast("error", "announced");
	const showAsBefore = page.toasts.showToastsIn(other);
	toast("info", "while");
	expect(inOther()).toEqual(["quiet", "announced", "while"]);
	expect(announcedToasts()).toEqual(["announced", "while"]);
	showAsBefore();
	expect(inOther()).toEqual([]);
	expect(toasts()).toEqual(["quiet", "announced", "while"]);
	expect(announcedToasts()).toEqual(["announced", "while"]);
});

test("toasts are landmarks with different names", async () => {
	const names = () =>
		screen
			.queryAllByRole("region")
			.map((one) => one.getAttribute("aria-label"));
	toast("error", "x");
	toast("info", "y");
	const [first] = screen.getAllByRole("button", { name: "Fechar" });
	await userEvent.click(first as HTMLElement);
	toast("error", "z");
	expect(names()).toEqual(["Aviso 2", "Aviso 3"]);
	for (const close of screen.getAllByRole("button", { name: "Fechar" }))
		await userEvent.click(close);
	toast("info", "y");
	expect(names()).toEqual(["Aviso"]);
});
