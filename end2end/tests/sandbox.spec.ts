/** The embedded sandbox: a journey, its list of links and its Connect page. Also runs in Playwright's WebKit and Firefox. */
import { demoLink, expect, test } from "../support/fixtures.ts";
import {
	accountRow,
	anotherAccountLink,
	connectFrame,
	newBankLink,
	successTitle,
} from "../support/locators.ts";
import { giveConsent, sendBankForm } from "../support/steps.ts";

test.use({ mode: "sandbox" });

test("a new integration appears among the accounts", {
	tag: "@deployed",
}, async ({ page }) => {
	await test.step("Open the link", () => page.goto(demoLink("demo-novo")));
	await giveConsent(page);
	await newBankLink(page).click();
	await sendBankForm(page, "Itaú");
	await test.step("Link an account in Connect", async () => {
		await connectFrame(page)
			.getByRole("button", { name: "Conectar com sucesso" })
			.click();
		await expect(successTitle(page)).toBeVisible();
	});
	await test.step("See the account in the list", async () => {
		await anotherAccountLink(page).click();
		const row = accountRow(page, { number: "10203-0" });
		await expect(row).toContainText("Itaú", { timeout: 15_000 });
	});
});

test("a link of the list renews its item after a declined and a pending approval", {
	tag: "@deployed",
}, async ({ page }) => {
	const bank = connectFrame(page);
	await test.step("Open a link of the list", async () => {
		await page.goto("/sandbox");
		const link = page.locator('a[href*="demo-atualizar"]').first();
		await page.goto((await link.getAttribute("href")) ?? "");
		await expect(page).toHaveURL("/integration/update");
	});
	await test.step("Decline at the bank", () =>
		bank.getByRole("button", { name: "Recusar no banco" }).click());
	await test.step("Wait for another person’s approval", async () => {
		await bank
			.getByRole("button", { name: "Aguardar outro responsável" })
			.click();
		await expect(
			page.getByText("Aguardando a aprovação de outro responsável"),
		).toBeVisible();
		await page.getByRole("button", { name: "Ocultar este aviso" }).click();
	});
	await test.step("Renew the connection", async () => {
		await bank.getByRole("button", { name: "Conectar com sucesso" }).click();
		await expect(successTitle(page)).toBeVisible();
	});
});
