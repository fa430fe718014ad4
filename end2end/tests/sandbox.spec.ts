/** The embedded sandbox: its list of links and its Connect page. For its journey: `keyboard.spec.ts`. */
import { expect, test } from "../support/fixtures.ts";
import { embeddedConnect } from "../support/steps.ts";

test.use({ mode: "sandbox" });

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
