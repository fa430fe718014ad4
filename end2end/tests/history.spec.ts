/** Reload, Back and Forward in the middle of every step. */
import { expect, linkOf, test } from "../support/fixtures.ts";
import {
	chooseBank,
	connectFrame,
	fillAdministrator,
	giveConsent,
	goToConnect,
	waitForHydration,
} from "../support/steps.ts";
import { ACCOUNTS, ADMIN, CPF } from "../support/widget-api.ts";

test.use({ withConnect: true });

const DONE = "Integração concluída com sucesso!";

test("a reload shows each step again, and repeats no call but the request for a connect token", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	client.accounts = [ACCOUNTS[0]];
	await page.goto(linkOf(client));
	await page.getByRole("checkbox").check();
	await page.reload();
	await expect(page).toHaveURL("/integration/widget");
	await expect(page.getByRole("checkbox")).not.toBeChecked();
	await giveConsent(page);
	await page.reload();
	await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
	await page.getByRole("link", { name: "Integrar novo banco" }).click();
	await expect(page.getByRole("combobox")).toBeEditable();
	await page.reload();
	await expect(page).toHaveURL("/integration/select-bank");
	await chooseBank(page, "Itaú");
	await fillAdministrator(page);
	await page.getByRole("button", { name: "Avançar" }).click();
	await connectFrame(page);
	await page.reload();
	const frame = await connectFrame(page);
	await frame.getByRole("button").click();
	await expect(page.getByRole("heading", { name: DONE })).toBeVisible();
	await expect.poll(() => client.requestsOf("success")).toHaveLength(1);
	await page.reload();
	await expect(page.getByRole("heading", { name: DONE })).toBeVisible();
	await waitForHydration(page);
	await page.goBack();
	await expect(page).toHaveURL("/integration/accounts");
	await page.goForward();
	await expect(page.getByRole("heading", { name: DONE })).toBeVisible();
	await waitForHydration(page);
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

test("Back from Connect leads to the accounts; Forward opens Connect again, and the button the bank form, filled", async ({
	page,
	newClient,
}) => {
	await goToConnect(page, newClient());
	await page.goBack();
	await expect(page).toHaveURL("/integration/accounts");
	await page.goForward();
	await expect(page).toHaveURL("/integration/widget");
	await connectFrame(page);
	await page.goBack();
	await page.getByRole("link", { name: "Integrar novo banco" }).click();
	await expect(page).toHaveURL("/integration/select-bank");
	await expect(page.getByRole("combobox")).toHaveValue("Itaú");
	await expect(page.getByLabel("Nome completo do administrador")).toHaveValue(
		ADMIN,
	);
	await expect(page.getByLabel("CPF do administrador")).toHaveValue(CPF);
});
