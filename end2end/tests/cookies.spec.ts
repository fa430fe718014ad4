/** A browser that blocks cookies gets the error about cookies, not the one about a missing token. */
import type { Page } from "@playwright/test";
import { expect, linkOf, test } from "../support/fixtures.ts";
import { consentBox, consentButton, mainHeading } from "../support/locators.ts";
import { waitForHydration } from "../support/steps.ts";

/** Makes the browser drop the cookies of responses to POSTs from now on. */
async function dropCookies(page: Page): Promise<void> {
	await page.route("**", async (route) => {
		if (route.request().method() !== "POST") return route.fallback();
		// The browser adds this header only after the interception.
		const headers = {
			...route.request().headers(),
			"sec-fetch-site": "same-origin",
		};
		const response = await route.fetch({ maxRedirects: 0, headers });
		// Playwright's own request has stored the cookie.
		await page.context().clearCookies();
		const { "set-cookie": _dropped, ...kept } = response.headers();
		await route.fulfill({ response, headers: kept });
	});
}

test("disabled cookies lead to the error at once, and use up no token", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	await page.addInitScript(() =>
		Object.defineProperty(navigator, "cookieEnabled", { get: () => false }),
	);
	await page.goto(linkOf(client));
	await expect(page).toHaveURL("/error/cookies-blocked");
	await expect(mainHeading(page)).toHaveText(
		"Seu navegador não guarda cookies",
	);
	await page.reload();
	expect(client.callSequence).toEqual([]);
});

test("cookies that are dropped silently lead to the error at the first action", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 401 .*accept_consent/);
	const client = newClient();
	await dropCookies(page);
	await page.goto(linkOf(client));
	await waitForHydration(page);
	await consentBox(page).check();
	await consentButton(page).click();
	await expect(page).toHaveURL("/error/cookies-blocked");
	expect(client.callSequence).toEqual(["POST /validate-token"]);
});
