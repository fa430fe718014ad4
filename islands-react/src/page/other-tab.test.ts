import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { page, watchLocation } from "../testing/page";
import { createStopping, keepDialogsOpen } from "./other-tab";

test("a hidden tab shows the notice a moment after it becomes visible, and later focuses its title", () => {
	vi.useFakeTimers();
	document.body.innerHTML =
		'<dialog id="other-tab"><h2 tabindex="-1">Outro link</h2><a href="/" autofocus>Continuar</a></dialog>';
	const isOpen = () => screen.queryByRole("dialog") !== null;
	const setHidden = (hidden: boolean) => {
		Object.defineProperty(document, "hidden", {
			configurable: true,
			value: hidden,
		});
		document.dispatchEvent(new Event("visibilitychange"));
	};
	setHidden(true);
	createStopping().stop("other_tab");
	vi.advanceTimersByTime(60_000);
	setHidden(false);
	expect(isOpen()).toBe(false);
	// Hidden again before the dialog opens.
	setHidden(true);
	vi.advanceTimersByTime(400);
	expect(isOpen()).toBe(false);
	setHidden(false);
	vi.advanceTimersByTime(400);
	Reflect.deleteProperty(document, "hidden");
	expect(isOpen()).toBe(true);
	const title = screen.getByRole("heading", { name: "Outro link" });
	expect(title).not.toHaveFocus();
	vi.advanceTimersByTime(1000);
	expect(title, "screen readers read it").toHaveFocus();
});

test("a page whose session has ended says so on its own route", async () => {
	const { replace } = watchLocation();
	document.body.innerHTML =
		'<dialog id="other-tab"></dialog><dialog id="session-ended"><h2 tabindex="-1">A sua sessão terminou</h2></dialog>';
	keepDialogsOpen();
	await page.client.handleFailure({ kind: "no_session" });
	const opened = () => screen.getAllByRole("dialog").map(({ id }) => id);
	expect(opened()).toEqual(["session-ended"]);
	await page.client.handleFailure({ kind: "other_tab" });
	expect(opened(), "one reason").toEqual(["session-ended"]);
	expect(replace).not.toHaveBeenCalled();
});

test("the link of the notice replaces the page in the history", () => {
	document.body.innerHTML =
		'<dialog id="other-tab"><a href="/integration/new">Continuar</a></dialog>';
	keepDialogsOpen();
	const { replace } = watchLocation();
	screen.getByText("Continuar").click();
	expect(replace).toHaveBeenCalledOnce();
});
