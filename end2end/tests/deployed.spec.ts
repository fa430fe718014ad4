/** The test that `make e2e BASE_URL=…` runs on any deployment: from a link to the bank form. */
import { expect, test } from "../support/fixtures.ts";
import { giveConsent, waitForBanks } from "../support/steps.ts";

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
