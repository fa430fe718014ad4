/** Pages that a translator or an extension has changed. */
import type { Page } from "@playwright/test";
import { expect, linkOf, test } from "../support/fixtures.ts";
import {
	anotherAccountLink,
	bankField,
	cancelAllButton,
	cancelLink,
	consentBox,
	consentButton,
	nameField,
	newBankLink,
	nextButton,
} from "../support/locators.ts";
import {
	holdRequests,
	installClock,
	waitForHydration,
} from "../support/page.ts";
import {
	chooseBank,
	fillAdministrator,
	startSession,
	waitForConnect,
} from "../support/steps.ts";
import {
	extendPage,
	type Translator,
	translated,
	translatePage,
	translatePages,
} from "../support/translator.ts";
import { ACCOUNTS, ADMIN, FIRM } from "../support/widget-api.ts";

const TRANSLATORS: readonly Translator[] = ["Chrome", "Safari", "Firefox"];

test.use({ withConnect: true });

for (const translator of TRANSLATORS) {
	test(`a client links an account and cancels it on pages that ${translator} translates`, async ({
		page,
		newClient,
		browserErrors,
	}) => {
		const client = newClient();
		await translatePages(page, translator);
		const text = (words: string) =>
			page.getByText(translated(words), { exact: true });

		await test.step("Give the consent", async () => {
			await page.goto(linkOf(client));
			await expect(
				text("pede acesso aos seus extratos bancários"),
			).toBeVisible();
			await expectAsWritten(page, FIRM, client.data.client_name);
			await consentBox(page).check();
			await expect(text("Marque a caixa para continuar")).toBeHidden();
			const authorized = client.hold("authorize-customer");
			await consentButton(page).click();
			await expect(text("Enviando…")).toBeVisible();
			authorized();

			await expect(page).toHaveURL("/integration/accounts");
		});
		await test.step("See the empty list", async () => {
			await expect(page.getByText(/^‹Lista das .*›$/)).toBeVisible();
			await expect(
				text("Autorização registrada. Agora conecte o banco."),
			).toBeVisible();
			await expect(text("Nenhuma conta autorizada.").last()).toBeVisible();
			await newBankLink(page).click();
		});

		await test.step("Correct and send the bank form", async () => {
			await bankField(page).click();
			await expectAsWritten(page, "Itaú", "Nu Pagamentos S.A.");
			await chooseBank(page, "Itaú");
			await fillAdministrator(page, "");
			await nextButton(page).click();
			await expect(text("Há 1 campo a corrigir.")).toBeAttached();
			await fillAdministrator(page);
			await nextButton(page).click();
		});

		const reported = client.hold("success");
		await test.step("Link an account in Connect", async () => {
			const frame = await waitForConnect(page);
			await expect(
				page.getByText(/^‹.*A janela do banco está aberta\.›$/),
			).toBeAttached();
			await frame.getByRole("button", { name: "Continuar" }).click();
		});

		await test.step("See the success", async () => {
			const state = page.locator(".success__state");
			await expect(state).toHaveText(/^‹Avisando/);
			reported();
			await expect(state).toHaveText(/^‹Em até 5 minutos/);
			client.accounts = [ACCOUNTS[0]];
			await anotherAccountLink(page).click();
		});

		await test.step("See one account, then two", async () => {
			await expect(page.getByText(/^‹1 conta autorizada›$/)).toBeVisible();
			client.accounts = ACCOUNTS;
			await expect(page.getByText(/^‹2 contas autorizadas›$/)).toBeVisible();
			const { bank, name } = ACCOUNTS[1];
			await expectAsWritten(page, FIRM, client.data.client_name);
			await expectAsWritten(page, bank, name);
			await expect(
				page.getByText(/^‹Você conectou Itaú às .*›$/),
			).toBeVisible();
		});
		await test.step("See that the list does not load", async () => {
			browserErrors.expect(/500 .*list_accounts$/);
			client.respond("list-accounts", "drop");
			await expect(page.getByText(/^‹Servidor sem resposta\.›$/)).toBeVisible();
			client.respond("list-accounts", undefined);
			await cancelLink(page).click();
		});

		await test.step("Cancel all integrations", async () => {
			await expect(page.getByText(ACCOUNTS[1].number)).toBeVisible();
			const cancelled = client.hold("cancel-integrations");
			await cancelAllButton(page).click();
			await expect(text("Cancelando…")).toBeVisible();
			cancelled();
			await expect(page).toHaveURL("/cancel/success");
		});
	});
}

/** Expects that the page shows these names, and that none is translated. */
async function expectAsWritten(page: Page, ...names: string[]): Promise<void> {
	for (const name of names) {
		await expect(page.getByText(name, { exact: true }).first()).toBeVisible();
		await expect(page.getByText(translated(name))).toHaveCount(0);
	}
}

/** Holds back the files that hydrate the islands until the returned function is called. */
const holdIslands = (page: Page): Promise<() => void> =>
	holdRequests(page, /\.wasm$|\/islands\/(?!page-)[^/]*\.js$/);

/** What may change a page before its islands are hydrated. */
const CHANGES: Record<string, (page: Page) => Promise<void>> = {
	...Object.fromEntries(
		TRANSLATORS.map((translator) => [
			`${translator} translates`,
			(page: Page) => translatePage(page, translator),
		]),
	),
	"an extension changes": extendPage,
};

for (const [change, apply] of Object.entries(CHANGES)) {
	test(`the consent that ${change} before hydration keeps tick and focus`, async ({
		page,
		newClient,
	}) => {
		const client = newClient();
		await startSession(page, client, "entered");
		const send = await holdIslands(page);
		await page.goto("/integration/widget", { waitUntil: "commit" });
		const box = consentBox(page);
		await box.check();
		await apply(page);
		await box.focus();
		send();
		await waitForHydration(page);
		await expect(box).toBeChecked();
		await expect(box).toBeFocused();
		await consentButton(page).click();
		await expect(page).toHaveURL("/integration/accounts");
		expect(client.requestsOf("authorize-customer")).toHaveLength(1);
	});

	test(`lists, buttons and forms that ${change} before hydration work`, async ({
		page,
		newClient,
	}) => {
		const client = newClient();
		client.accounts = ACCOUNTS;
		await startSession(page, client, "linked");
		for (const [path, status] of [
			["/integration/accounts", /2 contas autorizadas/],
			["/integration/success", /Em até 5 minutos/],
			["/cancel/confirm", /Cancelar todas integrações/],
		] as const) {
			const send = await holdIslands(page);
			await page.goto(path, { waitUntil: "commit" });
			await page.locator("footer").waitFor();
			await apply(page);
			send();
			await waitForHydration(page);
			await expect(page.getByText(status).first()).toBeVisible();
		}
		const send = await holdIslands(page);
		await page.goto("/integration/select-bank", { waitUntil: "commit" });
		await page.locator("footer").waitFor();
		await apply(page);
		send();
		await chooseBank(page, "Itaú");
		await fillAdministrator(page);
		await nextButton(page).click();
		await waitForConnect(page);
	});
}

test("the bank form keeps its values on a translated page if its list is slow", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	const listed = client.hold("list-banks");
	await installClock(page);
	await translatePages(page, "Chrome");
	await startSession(page, client, "consented");
	await page.goto("/integration/select-bank");
	await fillAdministrator(page);
	await page.clock.runFor(8000);
	const slow = page.getByText(translated("Está demorando mais que o normal…"));
	await expect(slow).toBeVisible();
	listed();
	await expect(slow).toBeHidden();
	await expect(nameField(page)).toHaveValue(ADMIN);
	await chooseBank(page, "Itaú");
});
