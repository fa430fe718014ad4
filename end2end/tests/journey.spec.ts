/** A whole new integration, from the firm's link to the account in the table, and its cancellation. Headers: `crates/upstream`. */
import { CONNECT_ORIGIN } from "../support/connect-stand-in.ts";
import { expect, linkOf, test } from "../support/fixtures.ts";
import {
	CONSENT,
	chooseBank,
	connectFrame,
	fillAdministrator,
	waitForHydration,
} from "../support/steps.ts";
import { ACCOUNTS, CPF, FIRM } from "../support/widget-api.ts";

test.use({ withConnect: true });

test("a company links its first account and cancels it, and the widget API gets exactly the requests of the contract @both-sizes", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	client.scenario = "success+success+close";
	const addresses: string[] = [];
	page.on("request", (request) => addresses.push(request.url()));
	await page.goto(linkOf(client));

	await expect(page).toHaveURL("/integration/widget");
	await expect(page.getByRole("heading", { level: 1 })).toContainText(FIRM);
	// Before hydration the browser would post the form: `consent.spec.ts` tests that.
	await waitForHydration(page);
	await page.getByRole("checkbox", { name: new RegExp(FIRM) }).check();
	await page.getByRole("button", { name: CONSENT }).click();

	await expect(page).toHaveURL("/integration/accounts");
	await expect(
		page.locator("tbody", { hasText: "Nenhuma conta autorizada." }),
	).toBeVisible();
	await page.getByRole("link", { name: "Integrar novo banco" }).click();

	await expect(page).toHaveURL("/integration/select-bank");
	await chooseBank(page, "Itaú");
	await fillAdministrator(page);
	await page.getByRole("button", { name: "Avançar" }).click();

	await expect(page).toHaveURL("/integration/widget");
	const frame = await connectFrame(page);
	expect(page.frames().map((one) => new URL(one.url()).origin)).toContain(
		CONNECT_ORIGIN,
	);
	expect(JSON.parse(await frame.getByTestId("props").innerText())).toEqual({
		includeSandbox: true,
		language: "pt",
		theme: "light",
		openFinanceParameters: { cpf: "52998224725", cnpj: "40817256000100" },
	});
	const kept = await page.evaluate(
		() =>
			JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie,
	);
	const readable = [kept, await page.content(), ...addresses.slice(1)].join(
		" ",
	);
	for (const secret of [client.token, CPF, "52998224725"])
		expect(readable).not.toContain(secret);
	expect(kept + addresses).not.toContain(client.connectToken);
	await frame.getByRole("button", { name: "Continuar" }).click();

	await expect(
		page.getByRole("heading", { name: "Integração concluída com sucesso!" }),
	).toBeVisible();
	await expect.poll(() => client.requestsOf("success")).toHaveLength(1);
	client.accounts = [ACCOUNTS[0]];
	await page
		.getByRole("link", { name: "Integrar outra conta bancária" })
		.click();
	const row = page.getByRole("row").filter({ hasText: ACCOUNTS[0].number });
	await expect(row).toContainText("Itaú");
	await expect(row).toContainText(ACCOUNTS[0].agency);
	await expect(row).toContainText(ACCOUNTS[0].name);

	await page.getByRole("link", { name: "clique aqui" }).click();
	await expect(page).toHaveURL("/cancel/confirm");
	// This test waits for the list, so that the order of the calls is fixed.
	await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
	await page
		.getByRole("button", { name: "Cancelar todas integrações" })
		.click();
	await expect(page).toHaveURL("/cancel/success");

	expect(client.callSequence).toEqual([
		"POST /validate-token",
		"POST /authorize-customer",
		"GET /list-accounts",
		"GET /list-banks",
		"POST /connect-token",
		"POST /success",
		"GET /list-accounts",
		"POST /cancel-integrations",
	]);
	const bodyOf = (call: Parameters<typeof client.requestsOf>[0]) =>
		client.requestsOf(call).map(({ body }) => body);
	expect(bodyOf("validate-token")).toEqual([{ token: client.token }]);
	expect(bodyOf("authorize-customer")).toEqual([
		{ customer_id: client.data.customer_id },
	]);
	expect(bodyOf("list-banks")).toEqual([undefined]);
	expect(new Set(bodyOf("list-accounts"))).toEqual(new Set([undefined]));
	expect(bodyOf("connect-token")).toEqual([
		{ link_id: null, client_uuid: client.data.client_uuid },
	]);
	expect(bodyOf("success")).toEqual([{ token: client.token }]);
	expect(bodyOf("cancel-integrations")).toEqual([
		{ cpfcnpj: client.data.client_cpfcnpj },
	]);
	expect(client.log.map(({ type }) => type)).toEqual([
		"pluggy-getConnectToken-request",
		"pluggy-getConnectToken-response",
		"pluggy-widget-success",
	]);
});
