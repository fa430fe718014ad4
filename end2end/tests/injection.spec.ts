/**
 * Markup in every text of the widget API, where scripts render it: rows of Leptos, options and
 * forms of React, the step that replaces the entry. For the server's documents: `src/tests/pages.rs`.
 */
import { expect, linkOf, test } from "../support/fixtures.ts";
import { bankField, bankOptions, nameField } from "../support/locators.ts";
import { waitForHydration } from "../support/page.ts";
import { giveConsent, waitForBanks } from "../support/steps.ts";

const MARKUP = `"' onfocus=ev1l() autofocus></title></style><script>ev1l()</script><img src=x onerror=ev1l()>{{session}}\${ev1l()}<!--`;

test("markup of the widget API is shown as text on every screen", async ({
	page,
	newClient,
}) => {
	// Console errors fail the test: see `browser-errors.ts`.
	await page.addInitScript(() => {
		Object.assign(window, {
			ev1l: () => console.error("markup of the widget API has run"),
		});
	});
	const client = newClient({
		client_name: MARKUP,
		customer_name: MARKUP,
		widget_account_admin_name: MARKUP,
		widget_account_bank: MARKUP,
		client_uuid: MARKUP,
	});
	client.accounts = [
		{ bank: MARKUP, agency: MARKUP, number: MARKUP, name: MARKUP },
	];
	client.respond("list-banks", {
		json: {
			data: [{ code: "001", name: MARKUP }],
			meta: { status: 200, message: MARKUP },
		},
	});
	const expectOnlyText = async () => {
		await waitForHydration(page);
		await expect(page.locator("main").getByText(MARKUP).first()).toBeVisible();
		await expect(page.locator("[onfocus], [onerror], img[src=x]")).toHaveCount(
			0,
		);
	};

	await test.step("Consent", async () => {
		await page.goto(linkOf(client));
		await expectOnlyText();
		await giveConsent(page);
	});
	await test.step("Accounts", async () => {
		await expect(page.getByRole("rowheader", { name: MARKUP })).toBeVisible();
		await expect(page.getByRole("cell", { name: MARKUP })).toHaveCount(3);
		await expectOnlyText();
	});
	await test.step("Bank form", async () => {
		await page.goto("/integration/select-bank");
		await waitForBanks(page);
		await expect(nameField(page)).toHaveValue(MARKUP);
		await bankField(page).press("ArrowDown");
		await expect(bankOptions(page)).toContainText(MARKUP);
		await expectOnlyText();
	});
	await test.step("Cancellation", async () => {
		await page.goto("/cancel/confirm");
		const account = page.getByRole("listitem");
		for (const part of ["strong", "span:last-child"])
			await expect(account.locator(part)).toHaveText(MARKUP);
		await expect(account).toContainText(`Agência ${MARKUP}, conta ${MARKUP}`);
		await expectOnlyText();
	});
});
