/** Toasts: their position, their duration, and the focus. */
import type { Page } from "@playwright/test";
import { expect, linkOf, test } from "../support/fixtures.ts";
import { installClock, stopClock } from "../support/page.ts";
import { waitForHydration } from "../support/steps.ts";

const announced = (page: Page) => page.locator("#toasts > [aria-live]");
const region = (page: Page) => page.getByRole("region", { name: "Aviso" });
const toast = (page: Page) =>
	region(page).getByText("Houve falha na requisição.");
const close = (page: Page) =>
	region(page).getByRole("button", { name: "Fechar aviso" });
const again = (page: Page) =>
	page.getByRole("button", { name: "Cancelar todas integrações" });

test.beforeEach(async ({ page, newClient, browserErrors }) => {
	browserErrors.expect(/status of 500 .*cancel_integrations/);
	const client = newClient({ widget_type: "cancel" }).respond(
		"cancel-integrations",
		"drop",
	);
	await installClock(page);
	await page.goto(linkOf(client));
	await waitForHydration(page);
	await expect(
		announced(page),
		"it is there before the toasts, which are announced",
	).toBeEmpty();
	await expect(announced(page)).toHaveAttribute("aria-live", "assertive");
	await expect(region(page), "no landmark with nothing in it").toHaveCount(0);
	await again(page).click();
	await expect(toast(page)).toBeVisible();
	await stopClock(page);
});

test("a toast is at the top centre, and disappears 5000 ms after losing the focus @both-sizes", async ({
	page,
}) => {
	const box = await page.locator(".toast").boundingBox();
	if (box === null) throw new Error("there is no toast");
	expect(box.y).toBeLessThan(100);
	expect(box.x + box.width / 2, "in the middle of the screen").toBeCloseTo(
		(page.viewportSize()?.width ?? 0) / 2,
		0,
	);
	await close(page).focus();
	await toast(page).hover();
	await page.mouse.move(5, 700);
	await page.clock.runFor(20_000);
	await expect(toast(page)).toBeVisible();
	await again(page).focus();
	await page.clock.runFor(4999);
	await expect(toast(page)).toBeVisible();
	await page.clock.runFor(1);
	await expect(toast(page)).toBeHidden();
});

test("a toast stays while the pointer is on it, even without the focus", async ({
	page,
}) => {
	await toast(page).hover();
	await close(page).focus();
	await again(page).focus();
	await page.clock.runFor(20_000);
	await expect(toast(page)).toBeVisible();
});

test("a toast closed by keyboard returns the focus", async ({ page }) => {
	await again(page).focus();
	await close(page).focus();
	await page.keyboard.press("Enter");
	await expect(toast(page)).toBeHidden();
	await expect(again(page)).toBeFocused();
	await expect(region(page)).toHaveCount(0);
});
