/** A whole new integration, from the firm's link to the account in the table, and its cancellation. Headers: `crates/upstream`. */
import { CONNECT_ORIGIN } from "../support/connect-stand-in.ts";
import { expect, linkOf, test } from "../support/fixtures.ts";
import {
	accountRow,
	anotherAccountLink,
	cancelLink,
	mainHeading,
	newBankLink,
	successTitle,
} from "../support/locators.ts";
import {
	cancelEverything,
	giveConsent,
	sendBankForm,
	waitForConnect,
} from "../support/steps.ts";
import { ACCOUNTS, type CallName, CPF, FIRM } from "../support/widget-api.ts";

test.use({ withConnect: true });

test("a company links its first account, sees it in the list, and cancels it", {
	tag: "@both-sizes",
}, async ({ page, newClient }) => {
	const client = newClient();
	client.scenario = "success+success+close";
	const addresses: string[] = [];
	page.on("request", (request) => addresses.push(request.url()));

	await test.step("Open the link", async () => {
		await page.goto(linkOf(client));
		await expect(page).toHaveURL("/integration/widget");
		await expect(mainHeading(page)).toContainText(FIRM);
	});

	await giveConsent(page);

	await test.step("See the empty list", () =>
		expect(page.getByRole("cell")).toContainText("Nenhuma conta autorizada."));

	await test.step("Send the bank form", async () => {
		await newBankLink(page).click();
		await expect(page).toHaveURL("/integration/select-bank");
		await sendBankForm(page, "Itaú");
		await expect(page).toHaveURL("/integration/widget");
	});

	const frame = await waitForConnect(page);
	await test.step("Connect has its settings and the documents", async () => {
		const origins = page.frames().map((one) => new URL(one.url()).origin);
		expect(origins).toContain(CONNECT_ORIGIN);
		const settings = await frame.getByTestId("props").innerText();
		expect(JSON.parse(settings)).toEqual({
			includeSandbox: true,
			language: "pt",
			theme: "light",
			openFinanceParameters: { cpf: "52998224725", cnpj: "40817256000100" },
		});
	});

	await test.step("No token or CPF is in the document, a URL or the browser’s storage", async () => {
		const stored = await page.evaluate(
			() =>
				JSON.stringify({ ...localStorage, ...sessionStorage }) +
				document.cookie,
		);
		const content = await page.content();
		// The first address is the link itself.
		const readable = [stored, content, ...addresses.slice(1)].join(" ");
		for (const secret of [client.token, CPF, "52998224725"])
			expect(readable).not.toContain(secret);
		expect(stored + addresses).not.toContain(client.connectToken);
	});

	await test.step("Link an account in Connect", async () => {
		await frame.getByRole("button", { name: "Continuar" }).click();
		await expect(successTitle(page)).toBeVisible();
		await expect.poll(() => client.requestsOf("success")).toHaveLength(1);
	});

	await test.step("See the account in the list", async () => {
		client.accounts = [ACCOUNTS[0]];
		await anotherAccountLink(page).click();
		const row = accountRow(page, ACCOUNTS[0]);
		await expect(row).toContainText("Itaú");
		await expect(row).toContainText(ACCOUNTS[0].agency);
		await expect(row).toContainText(ACCOUNTS[0].name);
	});

	await test.step("Go to the cancellation", async () => {
		await cancelLink(page).click();
		await expect(page).toHaveURL("/cancel/confirm");
		// This test waits for the list, so that the order of the calls is fixed.
		await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
	});
	await cancelEverything(page);

	await test.step("The widget API has exactly the requests of the contract", async () => {
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
		const bodiesOf = (call: CallName) =>
			client.requestsOf(call).map(({ body }) => body);
		expect(bodiesOf("validate-token")).toEqual([{ token: client.token }]);
		expect(bodiesOf("authorize-customer")).toEqual([
			{ customer_id: client.data.customer_id },
		]);
		expect(bodiesOf("list-banks")).toEqual([undefined]);
		expect(new Set(bodiesOf("list-accounts"))).toEqual(new Set([undefined]));
		expect(bodiesOf("connect-token")).toEqual([
			{ link_id: null, client_uuid: client.data.client_uuid },
		]);
		expect(bodiesOf("success")).toEqual([{ token: client.token }]);
		expect(bodiesOf("cancel-integrations")).toEqual([
			{ cpfcnpj: client.data.client_cpfcnpj },
		]);
		expect(client.log.map(({ type }) => type)).toEqual([
			"pluggy-getConnectToken-request",
			"pluggy-getConnectToken-response",
			"pluggy-widget-success",
		]);
	});
});
