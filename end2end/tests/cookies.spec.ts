/** A browser that blocks cookies gets the error about cookies, not the one about a missing token. */
import { expect, linkOf, test } from "../support/fixtures.ts";
import { mainHeading } from "../support/locators.ts";

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
