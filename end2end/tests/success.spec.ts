/** `/integration/success`. For its report to the widget API: `src/steps/success/tests.rs`. */

import { expect, linkOf, test } from "../support/fixtures.ts";
import {
	anotherAccountLink,
	failureToast,
	mainHeading,
	retryButton,
	successTitle,
} from "../support/locators.ts";
import { holdRequests, installClock, stopClock } from "../support/page.ts";

test('"Concluir integração" is disabled until hydration, and its text gets the focus', async ({
	page,
	newClient,
}) => {
	const sendWasm = await holdRequests(page, "**/pkg/*.wasm");
	await page.goto(linkOf(newClient(), "&of-success"), { waitUntil: "commit" });
	const [button, another] = [
		page.getByRole("button", { name: "Concluir integração" }),
		anotherAccountLink(page),
	];
	await expect(another).toBeVisible();
	const closing = page.getByText(
		"Tudo certo. Você já pode fechar esta página.",
	);
	await expect(closing).toBeHidden();
	await expect(button).toBeDisabled();
	sendWasm();
	await button.click();
	for (const gone of [button, another]) await expect(gone).toBeHidden();
	await expect(closing).toBeFocused();
	await expect(
		closing,
		"Orca reads nothing in Chromium if the element with the focus disappears",
	).toHaveAttribute("aria-live", "polite");
	await expect(successTitle(page)).toBeVisible();
});

test("a retry of a failed success call keeps the focus", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 500 .*confirm_success/);
	const client = newClient().respond("success", "drop", "drop", undefined);
	await page.goto(linkOf(client, "&of-success"));
	const again = retryButton(page);
	await expect(
		page.locator("[aria-live]", { hasText: "ainda não conseguimos avisar" }),
	).toBeVisible();
	await expect(mainHeading(page)).toHaveText("Falta avisar o escritório");
	await expect(failureToast(page)).toBeVisible();
	await again.press("Enter");
	await expect(failureToast(page)).toBeVisible();
	await expect(again).toBeFocused();
	await again.press("Enter");
	await expect(again).toBeHidden();
	await expect(mainHeading(page)).toBeFocused();
});

test("a failed success call is repeated every 30 s, silently and never twice at once", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 500 .*confirm_success/);
	await installClock(page);
	const client = newClient().respond("success", "drop");
	const calls = () => client.requestsOf("success").length;
	const again = retryButton(page);
	const fail = client.hold("success");
	await page.goto(linkOf(client, "&of-success"));
	await expect.poll(calls).toBe(1);
	await stopClock(page);
	fail();
	await expect(again).toBeVisible();
	await expect(failureToast(page)).toBeVisible();
	await page.clock.runFor(29_999);
	expect(calls()).toBe(1);
	const failAgain = client.hold("success");
	await page.clock.runFor(1);
	await expect.poll(calls).toBe(2);
	await test.step("A press waits for the repetition", async () => {
		await again.click();
		await expect(again).toHaveAttribute("aria-busy", "true");
		await page.clock.runFor(60_000);
		expect(calls()).toBe(2);
	});
	failAgain();
	await expect(again).toHaveAttribute("aria-busy", "false");
	await test.step("Presses do not add repetitions", async () => {
		await again.click();
		await expect.poll(calls).toBe(3);
		await expect(again).toHaveAttribute("aria-busy", "false");
		await page.clock.runFor(29_999);
		expect(calls()).toBe(3);
		await expect(page.locator(".toast"), "the last has closed").toHaveCount(0);
		await page.clock.runFor(1);
		await expect.poll(calls).toBe(4);
		await page.clock.runFor(1000);
		expect(calls()).toBe(4);
		await expect(page.locator(".toast"), "nobody has asked").toHaveCount(0);
	});
});
