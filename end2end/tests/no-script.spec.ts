/** The part of the journey that works without JavaScript: consent, accounts and cancellation are plain forms. */
import { expect, linkOf, SCRIPT_LEFT_OUT, test } from "../support/fixtures.ts";
import { CONSENT, startSession } from "../support/steps.ts";
import { ACCOUNTS } from "../support/widget-api.ts";

test.use({ javaScriptEnabled: false });

test("the consent is given by a plain form, but not without the tick, and cancelled by another", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(SCRIPT_LEFT_OUT);
	const client = newClient();
	client.accounts = [ACCOUNTS[0]];
	await page.goto(linkOf(client));
	await page.getByRole("button", { name: "Continuar" }).click();
	await expect(page).toHaveURL("/integration/widget?validado=1");
	const posted: string[] = [];
	page.on("request", (request) => {
		if (request.method() === "POST")
			posted.push(new URL(request.url()).pathname);
	});
	await page.getByRole("button", { name: CONSENT }).click({ force: true });
	await page.getByRole("checkbox").check();
	await page.getByRole("button", { name: CONSENT }).click();
	await expect(page).toHaveURL(/\/integration\/accounts/);
	expect(posted, "the browser does not send the form without the tick").toEqual(
		["/integration/widget"],
	);
	expect(client.requestsOf("authorize-customer")).toHaveLength(1);
	await page.getByRole("link", { name: "Ver as contas" }).click();
	await expect(
		page.getByRole("cell", { name: ACCOUNTS[0].number }),
	).toBeVisible();
	await page.getByRole("link", { name: "clique aqui" }).click();
	await expect(page.getByRole("link", { name: "Ver as contas" })).toBeVisible();
	await page
		.getByRole("button", { name: "Cancelar todas integrações" })
		.click();
	await expect(page).toHaveURL("/cancel/success");
	expect(client.requestsOf("cancel-integrations")).toHaveLength(1);
});

test("nothing is shown as loading, and no button is without effect", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(SCRIPT_LEFT_OUT);
	const client = newClient();
	await page.goto(linkOf(client));
	await expect(
		page.getByText("Abrindo o seu link…").and(page.locator(":not(h1)")),
	).toBeHidden();
	for (const path of ["/integration/accounts", "/cancel/confirm"]) {
		await startSession(page, client, "consented");
		await page.goto(path);
		await expect(
			page.getByRole("link", { name: "Ver as contas" }),
		).toBeVisible();
		await expect(page.getByRole("table")).toBeHidden();
		await expect(page.getByText("Carregando suas contas…")).toBeHidden();
	}
	await page.goto(linkOf(client, "&of-success"));
	await page.getByRole("button", { name: "Continuar" }).click();
	await expect(
		page.getByRole("link", { name: "Integrar outra conta bancária" }),
	).toBeVisible();
	await expect(page.getByRole("button")).toHaveCount(0);
	await page.goto("/integration/select-bank");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText(
		"Esta etapa precisa de JavaScript",
	);
	await page.getByRole("link", { name: "Voltar" }).click();
	await expect(page).toHaveURL("/integration/accounts?listar=1");
});
