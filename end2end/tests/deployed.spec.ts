/** The tests that `make e2e BASE_URL=…` runs on any deployment. */
import { DEPLOYED, isOnSandbox } from "../support/deployed.ts";
import { expect, test } from "../support/fixtures.ts";
import {
	anotherAccountLink,
	bankField,
	bankOptions,
	consentButton,
	newBankLink,
	nextButton,
	successTitle,
} from "../support/locators.ts";
import { waitForHydration } from "../support/page.ts";
import {
	cancelEverything,
	fillAdministrator,
	giveConsent,
	waitForBanks,
	waitForConnect,
} from "../support/steps.ts";

test("a link leads to the consent and to the list of accounts", {
	tag: "@deployed",
}, async ({ page, link }) => {
	await test.step("Open the link, which no proxy may keep or frame", async () => {
		const response = await page.goto(link);
		expect(response?.headers()).toMatchObject({
			"cache-control": "no-store",
			"content-security-policy": expect.stringContaining(
				"frame-ancestors 'none'",
			),
			"referrer-policy": "strict-origin",
		});
	});
	await test.step("See the consent", async () => {
		await waitForHydration(page);
		await expect(consentButton(page)).toBeVisible();
	});
	await test.step("See the list of accounts", async () => {
		await page.getByRole("link", { name: "Ver minhas contas" }).click();
		await expect(page.getByRole("table")).toHaveAttribute("aria-busy", "false");
	});
});

test("a client links an account in Connect’s stand-in and cancels all", {
	tag: ["@deployed", "@writes"],
}, async ({ page, link, standIn }) => {
	test.skip(
		DEPLOYED !== undefined && (await isOnSandbox()),
		"the sandbox has a Connect of its own",
	);
	// A cancellation waits for Pluggy.
	test.setTimeout(120_000);
	await test.step("Open the link", () => page.goto(link));
	await giveConsent(page);
	await test.step("Send the bank form with the first bank", async () => {
		await newBankLink(page).click();
		await waitForBanks(page);
		await bankField(page).click();
		await bankOptions(page).first().click();
		await fillAdministrator(page);
		await nextButton(page).click();
	});
	await test.step("Link an account in Connect", async () => {
		const connect = await waitForConnect(page);
		expect(standIn.openings).toBe(1);
		await connect.getByRole("button", { name: "Continuar" }).click();
		await expect(successTitle(page)).toBeVisible();
	});
	await test.step("Go to the cancellation", async () => {
		await anotherAccountLink(page).click();
		await page
			.getByRole("link", { name: /clique aqui|Cancelar a autorização/ })
			.click();
		await expect(page).toHaveURL("/cancel/confirm");
	});
	await cancelEverything(page, { timeout: 60_000 });
});
