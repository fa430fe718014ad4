/** The tests that `make e2e BASE_URL=…` runs on any deployment. */
import { DEPLOYED, isOnSandbox } from "../support/deployed.ts";
import { expect, test } from "../support/fixtures.ts";
import {
	connectFrame,
	fillAdministrator,
	giveConsent,
	waitForBanks,
} from "../support/steps.ts";

test("a link leads through the consent to the accounts and the list of banks", async ({
	page,
	link,
}) => {
	await page.goto(link);
	await giveConsent(page);
	await expect(page.getByRole("table")).toHaveAttribute("aria-busy", "false");
	await page.getByRole("link", { name: "Integrar novo banco" }).click();
	await waitForBanks(page);
	await page.getByRole("combobox").click();
	await expect(page.getByRole("option").first()).toBeVisible();
});

test("a client links an account in Connect’s stand-in and cancels all @writes", async ({
	page,
	link,
	standIn,
}) => {
	test.skip(
		DEPLOYED !== undefined && (await isOnSandbox()),
		"the sandbox has a Connect of its own",
	);
	// A cancellation waits for Pluggy.
	test.setTimeout(120_000);
	await page.goto(link);
	await giveConsent(page);
	await page.getByRole("link", { name: "Integrar novo banco" }).click();
	await waitForBanks(page);
	await page.getByRole("combobox").click();
	await page.getByRole("option").first().click();
	await fillAdministrator(page);
	await page.getByRole("button", { name: "Avançar" }).click();
	const connect = await connectFrame(page);
	expect(standIn.openings).toBe(1);
	await connect.getByRole("button", { name: "Continuar" }).click();
	await expect(
		page.getByRole("heading", { name: "Integração concluída com sucesso!" }),
	).toBeVisible();
	await page
		.getByRole("link", { name: "Integrar outra conta bancária" })
		.click();
	await page
		.getByRole("link", { name: /clique aqui|Cancelar a autorização/ })
		.click();
	await page
		.getByRole("button", { name: "Cancelar todas integrações" })
		.click();
	await expect(page).toHaveURL("/cancel/success", { timeout: 60_000 });
});
