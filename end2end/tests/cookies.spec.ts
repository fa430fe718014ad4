/** A browser that blocks cookies gets the error about cookies, not the one about a missing token. */
import type { Page } from "@playwright/test";
import { expect, linkOf, test } from "../support/fixtures.ts";
import { CONSENT, waitForHydration } from "../support/steps.ts";

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

test("a browser that reports disabled cookies gets the error at once, and uses up no token", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	await page.addInitScript(() =>
		Object.defineProperty(navigator, "cookieEnabled", { get: () => false }),
	);
	await page.goto(linkOf(client));
	await expect(page).toHaveURL("/error/cookies-blocked");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText(
		"Seu navegador não guarda cookies",
	);
	await page.reload();
	expect(client.callSequence).toEqual([]);
});

test("a browser that drops cookies silently gets the error at its first action", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/401/);
	const client = newClient();
	await dropCookies(page);
	await page.goto(linkOf(client));
	await waitForHydration(page);
	await page.getByRole("checkbox").check();
	await page.getByRole("button", { name: CONSENT }).click();
	await expect(page).toHaveURL("/error/cookies-blocked");
	expect(client.callSequence).toEqual(["POST /validate-token"]);
});
