import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { page, toasts, watchLocation } from "../testing/page";

beforeEach(() => {
	document.body.insertAdjacentHTML(
		"beforeend",
		`<dialog id="stopped" aria-labelledby="t" aria-describedby="w"><h2 id="t" data-ended="A sua sessão terminou">Outro link</h2>
		<p id="w" data-ended="Abra o link de novo.">Esta página parou.</p></dialog>`,
	);
});

const dialog = () => screen.getByRole<HTMLDialogElement>("dialog");

test("a page whose session was replaced says so, once", () => {
	void page.client.handleFailure("other_tab");
	expect(dialog()).toHaveAccessibleName("Outro link");
	expect(dialog()).toHaveAccessibleDescription("Esta página parou.");
	void page.client.handleFailure("no_session");
	expect(dialog(), "the first reason").toHaveAccessibleName("Outro link");
});

test("a page whose session has ended says so on its own route", () => {
	const { replace } = watchLocation();
	void page.client.handleFailure("no_session");
	expect(dialog()).toHaveAccessibleName("A sua sessão terminou");
	expect(dialog()).toHaveAccessibleDescription("Abra o link de novo.");
	expect(replace).not.toHaveBeenCalled();
});

test("the dialog opens again if it is closed", () => {
	void page.client.handleFailure("other_tab");
	const notice = dialog();
	notice.close();
	notice.dispatchEvent(new Event("close"));
	expect(notice.open).toBe(true);
});

test("after the dialog nothing is shown, and no failure resolves", async () => {
	const { replace } = watchLocation();
	const usable = vi.fn();
	void page.client.handleFailure("other_tab").then(usable);
	void page.client.handleFailure("no_reply").then(usable);
	void page.client.handleFailure({ navigate: { to: "/" } }).then(usable);
	await Promise.resolve();
	expect(toasts()).toEqual([]);
	expect(replace).not.toHaveBeenCalled();
	expect(usable).not.toHaveBeenCalled();
});
