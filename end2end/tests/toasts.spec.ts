/** Toasts: their position, their duration, and the focus. */
import type { Page } from "@playwright/test";
import { expect, linkOf, test } from "../support/fixtures.ts";
import { cancelAllButton, failureToast, toasts } from "../support/locators.ts";
import { boxOf, installClock, stopClock } from "../support/page.ts";

const announced = (page: Page) => page.locator("#toasts");
const closeButton = (page: Page) =>
	toasts(page).getByRole("button", { name: "Fechar aviso" });

test.beforeEach(async ({ page, newClient, browserErrors }) => {
	browserErrors.expect(/status of 500 .*cancel_integrations/);
	const client = newClient({ widget_type: "cancel" }).respond(
		"cancel-integrations",
		"drop",
	);
	await installClock(page);
	await page.goto(linkOf(client));
	await expect(
		announced(page),
		"it is there before the toasts, which are announced",
	).toBeEmpty();
	await expect(announced(page)).toHaveAttribute("aria-live", "assertive");
	await expect(toasts(page), "no landmark with nothing in it").toHaveCount(0);
	await cancelAllButton(page).click();
	await expect(failureToast(page)).toBeVisible();
	await stopClock(page);
});

test("a toast is at the top centre, and disappears 5 seconds after losing the focus", {
	tag: "@both-sizes",
}, async ({ page }) => {
	const box = await boxOf(page.locator(".toast"));
	expect(box.y).toBeLessThan(100);
	expect(box.x + box.width / 2, "in the middle of the screen").toBeCloseTo(
		(page.viewportSize()?.width ?? 0) / 2,
		0,
	);
	await closeButton(page).focus();
	await failureToast(page).hover();
	await page.mouse.move(5, 700);
	await page.clock.runFor(20_000);
	await expect(failureToast(page)).toBeVisible();
	await cancelAllButton(page).focus();
	await page.clock.runFor(4999);
	await expect(failureToast(page)).toBeVisible();
	await page.clock.runFor(1);
	await expect(failureToast(page)).toBeHidden();
});

test("a toast stays while the pointer is on it, even without the focus", async ({
	page,
}) => {
	await failureToast(page).hover();
	await closeButton(page).focus();
	await cancelAllButton(page).focus();
	await page.clock.runFor(20_000);
	await expect(failureToast(page)).toBeVisible();
});

test("a toast closed by keyboard returns the focus", async ({ page }) => {
	await cancelAllButton(page).focus();
	await closeButton(page).focus();
	await page.keyboard.press("Enter");
	await expect(failureToast(page)).toBeHidden();
	await expect(cancelAllButton(page)).toBeFocused();
	await expect(toasts(page)).toHaveCount(0);
});
