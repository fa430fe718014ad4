/** A whole journey, from the firm's link over a new integration to its cancellation. */
import { demoLink, linkOf } from "../support/fixtures.ts";
import { ACCOUNTS, ADMIN, CPF, FIRM } from "../support/widget-api.ts";
import { expect, test } from "./fixtures.ts";
import { ADMIN_CPF, ADMIN_NAME, BANK, giveConsent, Tab } from "./tab.ts";

test("a new integration, and its cancellation", async ({ tab, newClient }) => {
	const client = newClient();
	const release = client.hold("validate-token");
	await tab.open(linkOf(client));
	await tab.hasText("Abrindo o seu link…");
	release();
	await tab.get("heading", new RegExp(FIRM));
	await giveConsent(tab);
	await tab.hasText("Nenhuma conta autorizada.");
	await integrate(tab);
	await tab.inConnect(() => tab.click("button", "Continuar"));
	await tab.isAt("/integration/success");
	await tab.get("heading", "Integração concluída com sucesso!");
	await expect.poll(() => client.requestsOf("success")).toHaveLength(1);

	client.accounts = ACCOUNTS;
	// The accounts page may come back from the back/forward cache; it continues to poll.
	await tab.back();
	await tab.isAt("/integration/accounts");
	await tab.hasText(ACCOUNTS[1].number);
	await tab.click("link", /^clique aqui/);
	await tab.isAt("/cancel/confirm");
	await tab.waitForHydration();
	await tab.click("button", "Cancelar todas integrações");
	await tab.isAt("/cancel/success");
	await tab.get("heading", "Integrações canceladas com sucesso!");
	expect(
		client.requestsOf("cancel-integrations").map(({ body }) => body),
	).toEqual([{ cpfcnpj: client.data.client_cpfcnpj }]);
});

test("a new integration on the sandbox, over plain HTTP", async ({
	driver,
	sandbox,
}) => {
	const tab = new Tab(driver, sandbox.url);
	await tab.open(demoLink("demo-novo"));
	await giveConsent(tab);
	await integrate(tab);
	await tab.inConnect(async () => {
		await tab.hasText("***.982.247-**");
		await tab.click("button", "Conectar com sucesso");
	});
	await tab.isAt("/integration/success");
	await tab.click("link", "Integrar outra conta bancária");
	await tab.hasText("Padaria Aurora Ltda");
	await tab.leave();
});

/** Goes from the accounts to Connect. */
async function integrate(tab: Tab): Promise<void> {
	await tab.click("link", "Integrar novo banco");
	await tab.isAt("/integration/select-bank");
	await tab.write("combobox", BANK, "Itaú");
	await tab.click("option", /Itaú/);
	await tab.write("textbox", ADMIN_NAME, ADMIN);
	await tab.write("textbox", ADMIN_CPF, CPF);
	await tab.click("button", "Avançar");
	await tab.isAt("/integration/widget");
}
