/** Reload, Back and Forward in the middle of every step. */
import { expect, linkOf, test } from "../support/fixtures.ts";
import {
	bankField,
	consentBox,
	cpfField,
	nameField,
	newBankLink,
	successTitle,
} from "../support/locators.ts";
import { waitForHydration } from "../support/page.ts";
import { giveConsent, sendBankForm, waitForConnect } from "../support/steps.ts";
import { ACCOUNTS, ADMIN, CPF } from "../support/widget-api.ts";

test.use({ withConnect: true });

test("a reload shows each step again, and repeats only the call for a connect token", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	client.accounts = [ACCOUNTS[0]];
	await page.goto(linkOf(client));

	await test.step("Reload the consent", async () => {
		await consentBox(page).check();
		await page.reload();
		await expect(page).toHaveURL("/integration/widget");
		await expect(consentBox(page)).not.toBeChecked();
	});
	await giveConsent(page);
	await test.step("Reload the accounts", async () => {
		await page.reload();
		await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
	});
	await test.step("Reload the bank form", async () => {
		await newBankLink(page).click();
		await expect(bankField(page)).toBeEditable();
		await page.reload();
		await expect(page).toHaveURL("/integration/select-bank");
	});
	await sendBankForm(page, "Itaú");
	await test.step("Reload Connect", async () => {
		await waitForConnect(page);
		await page.reload();
		const frame = await waitForConnect(page);
		await frame.getByRole("button").click();
		await expect(successTitle(page)).toBeVisible();
		await expect.poll(() => client.requestsOf("success")).toHaveLength(1);
	});
	await test.step("Reload the success, and leave it and return", async () => {
		await page.reload();
		await expect(successTitle(page)).toBeVisible();
		await waitForHydration(page);
		await page.goBack();
		await expect(page).toHaveURL("/integration/accounts");
		await page.goForward();
		await expect(successTitle(page)).toBeVisible();
		await waitForHydration(page);
	});
	expect(
		client.callSequence.filter((line) => !line.startsWith("GET ")),
	).toEqual([
		"POST /validate-token",
		"POST /authorize-customer",
		"POST /connect-token",
		"POST /connect-token",
		"POST /success",
	]);
});

test("Back and Forward close and open Connect, and the bank form stays filled", async ({
	page,
	newClient,
}) => {
	await test.step("Open the link", () => page.goto(linkOf(newClient())));
	await giveConsent(page);
	await newBankLink(page).click();
	await sendBankForm(page, "Itaú");
	await waitForConnect(page);
	await test.step("Go back to the accounts", async () => {
		await page.goBack();
		await expect(page).toHaveURL("/integration/accounts");
	});
	await test.step("Go forward to Connect", async () => {
		await page.goForward();
		await expect(page).toHaveURL("/integration/widget");
		await waitForConnect(page);
	});
	await test.step("Go back, and open the filled bank form", async () => {
		await page.goBack();
		await newBankLink(page).click();
		await expect(page).toHaveURL("/integration/select-bank");
		await expect(bankField(page)).toHaveValue("Itaú");
		await expect(nameField(page)).toHaveValue(ADMIN);
		await expect(cpfField(page)).toHaveValue(CPF);
	});
});
