import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { guardNativeForms } from "./native-form";

/** The number of submissions that the browser would post. */
let posts = 0;

guardNativeForms();
addEventListener("submit", (event) => {
	if (!event.defaultPrevented) posts += 1;
	event.preventDefault();
});

function render(): HTMLButtonElement {
	document.body.innerHTML =
		'<form><button type="submit" aria-busy="false">Cancelar</button></form>';
	return screen.getByRole<HTMLButtonElement>("button", { name: "Cancelar" });
}

const isBusy = (button: HTMLButtonElement) =>
	button.getAttribute("aria-busy") === "true";

beforeEach(() => {
	vi.useFakeTimers();
	posts = 0;
});

test("a natively posted form is busy and cannot be posted again for eight seconds", () => {
	const button = render();
	button.click();
	button.click();
	vi.advanceTimersByTime(7999);
	button.click();
	expect([posts, isBusy(button)]).toEqual([1, true]);
	vi.advanceTimersByTime(1);
	expect(isBusy(button)).toBe(false);
	button.click();
	expect(posts).toBe(2);
});

test("a page from the back/forward cache is not busy", () => {
	const button = render();
	button.click();
	window.dispatchEvent(new Event("vincula-resumed"));
	expect(isBusy(button)).toBe(false);
});

test("a hydrated island neither repeats a native post nor is marked as busy here", () => {
	const button = render();
	const submit = vi.fn((event: Event) => event.preventDefault());
	button.click();
	button.form?.addEventListener("submit", submit);
	button.click();
	expect(submit).not.toHaveBeenCalled();
	vi.advanceTimersByTime(8000);
	button.click();
	expect(submit).toHaveBeenCalledOnce();
	expect([posts, isBusy(button)]).toEqual([1, false]);
});

test("leaves a button that its island marks as busy to the island", () => {
	const button = render();
	const submit = vi.fn((event: Event) => event.preventDefault());
	button.form?.addEventListener("submit", submit);
	button.setAttribute("aria-busy", "true");
	button.click();
	expect(submit).toHaveBeenCalledOnce();
});
