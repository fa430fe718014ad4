/** The embedded sandbox: a journey, its list of links and its Connect page. Also runs in Playwright's WebKit and Firefox. */
import { demoLink, expect, test } from "../support/fixtures.ts";
import {
	chooseBank,
	embeddedConnect,
	fillAdministrator,
	giveConsent,
} from "../support/steps.ts";

test.use({ mode: "sandbox" });

test("a new integration appears among the accounts", async ({ page }) => {
	await page.goto(demoLink("demo-novo"));
	await giveConsent(page);
	await page.getByRole("link", { name: "Integrar novo banco" }).click();
	await chooseBank(page, "Itaú");
	await fillAdministrator(page);
	await page.getByRole("button", { name: "Avançar" }).click();
	await embeddedConnect(page)
		.getByRole("button", { name: "Conectar com sucesso" })
		.click();
	await page
		.getByRole("link", { name: "Integrar outra conta bancária" })
		.click();
	await expect(
		page.getByRole("row").filter({ hasText: "10203-0" }),
	).toContainText("Itaú", { timeout: 15_000 });
});

test("a link of the list renews its item, also after a refusal and with a pending approval", async ({
	page,
}) => {
	await page.goto("/sandbox");
	const link = page.locator('a[href*="demo-atualizar"]').first();
	await page.goto((await link.getAttribute("href")) ?? "");
	await expect(page).toHaveURL("/integration/update");
	const bank = embeddedConnect(page);
	await bank.getByRole("button", { name: "Recusar no banco" }).click();
	await bank
		.getByRole("button", { name: "Aguardar outro responsável" })
		.click();
	await expect(
		page.getByText("Aguardando a aprovação de outro responsável"),
	).toBeVisible();
	await page.getByRole("button", { name: "Entendi" }).click();
	await bank.getByRole("button", { name: "Conectar com sucesso" }).click();
	await expect(
		page.getByRole("heading", { name: "Integração concluída com sucesso!" }),
	).toBeVisible();
});
