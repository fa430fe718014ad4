/** Pages that a translator or an extension has changed. */
import type { Page } from "@playwright/test";
import { expect, linkOf, test } from "../support/fixtures.ts";
import { installClock } from "../support/page.ts";
import {
	CONSENT,
	chooseBank,
	connectFrame,
	fillAdministrator,
	startSession,
	waitForHydration,
} from "../support/steps.ts";
import {
	extendPage,
	translated,
	translatePage,
	translatePages,
	type Way,
} from "../support/translator.ts";
import { ACCOUNTS, ADMIN, FIRM } from "../support/widget-api.ts";

const WAYS: readonly Way[] = ["Chrome", "Safari", "Firefox"];

test.use({ withConnect: true });

for (const way of WAYS) {
	test(`a client links an account and cancels it on pages that are translated in ${way}’s way`, async ({
		page,
		newClient,
		browserErrors,
	}) => {
		const client = newClient();
		await translatePages(page, way);
		const text = (words: string) =>
			page.getByText(translated(words), { exact: true });

		await page.goto(linkOf(client));
		await waitForHydration(page);
		await expect(text("pede acesso aos seus extratos bancários")).toBeVisible();
		await expectAsWritten(page, FIRM, client.data.client_name);
		await page.getByRole("checkbox").check();
		await expect(text("Marque a caixa para continuar")).toBeHidden();
		const authorized = client.hold("authorize-customer");
		await page.getByRole("button", { name: CONSENT }).click();
		await expect(text("Enviando…")).toBeVisible();
		authorized();

		await expect(page).toHaveURL("/integration/accounts");
		await expect(text("Lista atualizada agora.")).toBeVisible();
		await expect(
			text("Autorização registrada. Agora conecte o banco."),
		).toBeVisible();
		await expect(text("Nenhuma conta autorizada.")).toBeVisible();
		await page.getByRole("link", { name: "Integrar novo banco" }).click();

		await page.getByRole("combobox").click();
		await expectAsWritten(page, "Itaú", "Nu Pagamentos S.A.");
		await chooseBank(page, "Itaú");
		await fillAdministrator(page, "");
		await page.getByRole("button", { name: "Avançar" }).click();
		await expect(text("Há 1 campo a corrigir.")).toBeAttached();
		await fillAdministrator(page);
		await page.getByRole("button", { name: "Avançar" }).click();

		const frame = await connectFrame(page);
		await expect(
			page.getByText(/^‹.*A janela do banco está aberta\.›$/),
		).toBeAttached();
		const told = client.hold("success");
		await frame.getByRole("button", { name: "Continuar" }).click();

		const state = page.locator(".success__state");
		await expect(state).toHaveText(/^‹Avisando/);
		told();
		await expect(state).toHaveText(/^‹Em até 5 minutos/);
		client.accounts = [ACCOUNTS[0]];
		await page
			.getByRole("link", { name: "Integrar outra conta bancária" })
			.click();

		await expect(
			page.getByText(/ 1 conta autorizada\. Lista atualizada agora\.›$/),
		).toBeVisible();
		client.accounts = ACCOUNTS;
		await expect(
			page.getByText(/ 2 contas autorizadas\. Lista atualizada agora\.›$/),
		).toBeVisible();
		const { bank, name } = ACCOUNTS[1];
		await expectAsWritten(page, FIRM, client.data.client_name);
		await expectAsWritten(page, bank, name);
		await expect(
			text("O escritório só pode ler os extratos das suas contas."),
		).toBeVisible();
		browserErrors.expect(/500 .*list_accounts$/);
		client.respond("list-accounts", "drop");
		await expect(
			page.getByText(/ 2 contas autorizadas\. Sem resposta do servidor\./),
		).toBeVisible();
		client.respond("list-accounts", undefined);
		await page.getByRole("link", { name: "clique aqui" }).click();

		await expect(page.getByText(ACCOUNTS[1].number)).toBeVisible();
		const cancelled = client.hold("cancel-integrations");
		await page
			.getByRole("button", { name: "Cancelar todas integrações" })
			.click();
		await expect(text("Cancelando…")).toBeVisible();
		cancelled();
		await expect(page).toHaveURL("/cancel/success");
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
async function holdIslands(page: Page): Promise<() => void> {
	let send = (): void => {};
	const sent = new Promise<void>((resolve) => (send = resolve));
	await page.route(/\.wasm$|\/islands\/(?!page-)[^/]*\.js$/, (route) =>
		sent.then(() => route.fallback()),
	);
	return send;
}

/** What may change a page before its islands are hydrated. */
const CHANGES: Record<string, (page: Page) => Promise<void>> = {
	...Object.fromEntries(
		WAYS.map((way) => [
			`a translator works in ${way}’s way`,
			(page: Page) => translatePage(page, way),
		]),
	),
	"an extension changes the page": extendPage,
};

for (const [change, apply] of Object.entries(CHANGES)) {
	test(`the consent keeps its tick and the focus if ${change} before hydration`, async ({
		page,
		newClient,
	}) => {
		const client = newClient();
		await startSession(page, client, "entered");
		const send = await holdIslands(page);
		await page.goto("/integration/widget", { waitUntil: "commit" });
		const box = page.getByRole("checkbox");
		await box.check();
		await apply(page);
		await box.focus();
		send();
		await waitForHydration(page);
		await expect(box).toBeChecked();
		await expect(box).toBeFocused();
		await page.getByRole("button", { name: CONSENT }).click();
		await expect(page).toHaveURL("/integration/accounts");
		expect(client.requestsOf("authorize-customer")).toHaveLength(1);
	});

	test(`lists, buttons and forms work if ${change} before hydration`, async ({
		page,
		newClient,
	}) => {
		const client = newClient();
		client.accounts = ACCOUNTS;
		await startSession(page, client, "linked");
		for (const [path, status] of [
			[
				"/integration/accounts",
				/2 contas autorizadas\. Lista atualizada agora\./,
			],
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
		await page.getByRole("button", { name: "Avançar" }).click();
		await connectFrame(page);
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
	await waitForHydration(page);
	await fillAdministrator(page);
	await page.clock.runFor(8000);
	const slow = page.getByText(translated("Está demorando mais que o normal…"));
	await expect(slow).toBeVisible();
	listed();
	await expect(slow).toBeHidden();
	await expect(page.getByLabel("Nome completo do administrador")).toHaveValue(
		ADMIN,
	);
	await chooseBank(page, "Itaú");
});
