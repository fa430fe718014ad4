/** `/integration/accounts`: the list, its polls, and what is announced of them. */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import {
	accountsAge,
	accountsStatus,
	accountsTitle,
	cancelLink,
	failureToast,
	newBankLink,
	retryButton,
} from "../support/locators.ts";
import {
	boxOf,
	holdRequests,
	installClock,
	setHidden,
	stopClock,
	waitForHydration,
} from "../support/page.ts";
import { arriveAtAccounts, startSession } from "../support/steps.ts";
import { ACCOUNTS, type Client } from "../support/widget-api.ts";

const UNANSWERED = "Servidor sem resposta.";
const UNKNOWN = "Não foi possível carregar as contas.";

/** Expects that one account is listed, and that the calls go well. */
async function expectListed(page: Page): Promise<void> {
	await expect(accountsTitle(page)).toHaveText("1 conta autorizada");
	await expect(accountsAge(page)).toHaveText(/^Lista das \d\dh\d\d$/);
	await expect(accountsStatus(page)).toBeEmpty();
}

/** Opens the screen with one account, stops its clock, and counts its further requests for the list. */
async function arrive(page: Page, client: Client): Promise<() => number> {
	client.accounts = [ACCOUNTS[0]];
	await installClock(page);
	await arriveAtAccounts(page, client);
	await expectListed(page);
	await stopClock(page);
	let made = 0;
	page.on("request", (request) => {
		if (request.url().endsWith("/api/list_accounts")) made += 1;
	});
	return () => made;
}

test("the empty list is one row, and then each account has a row of four cells", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	await arriveAtAccounts(page, client);
	const empty = page.getByRole("cell", { name: "Nenhuma conta autorizada." });
	await test.step("The empty list is one row", async () => {
		await expect(empty).toHaveAttribute("colspan", "4");
		await expect(
			page.getByRole("table", { name: "Contas autorizadas" }),
		).toBeVisible();
		await expect(
			page.getByRole("cell"),
			"Orca does not get past a row without a role",
		).toHaveText(/^Nenhuma conta autorizada\./);
		await expect(
			page.getByText(
				/^Depois de conectada, uma conta pode levar até 5 minutos .* se outro responsável precisa aprovar/,
			),
		).toBeVisible();
		await expect(
			page.getByRole("link", { name: "Cancelar a autorização" }),
		).toBeVisible();
		await expect(
			page.getByText("Deseja cancelar todas as suas integrações?"),
		).toBeHidden();
	});
	client.accounts = ACCOUNTS;
	const [itau, nubank] = ACCOUNTS;
	await test.step("Each account is a row", async () => {
		await expect(page.getByRole("columnheader")).toHaveText([
			"Banco",
			"Agência",
			"Conta",
			"Nome",
		]);
		const cells = (row: number) => {
			const cell = page.getByRole("rowheader").or(page.getByRole("cell"));
			return page.locator("tbody").getByRole("row").nth(row).locator(cell);
		};
		// The brand, and below it the bank's registered name.
		await expect(cells(0)).toHaveText([
			`Itaú${itau.bank}`,
			itau.agency,
			itau.number,
			itau.name,
		]);
		await expect(cells(1)).toHaveText([
			`Nubank${nubank.bank}`,
			nubank.agency,
			nubank.number,
			nubank.name,
		]);
		await expect(empty).toBeHidden();
	});
	await expect(
		page.locator("table[aria-live], [aria-live] table"),
		"the table is silent",
	).toHaveCount(0);
	await test.step("The list leads to the cancellation", async () => {
		await expect(
			page.getByText("Deseja cancelar todas as suas integrações? clique aqui"),
		).toBeVisible();
		await cancelLink(page).click();
		await expect(page).toHaveURL("/cancel/confirm");
	});
});

test('"Integrar novo banco" is there from the first paint, at the lower edge below a long list', async ({
	page,
	newClient,
}) => {
	const client = newClient();
	client.accounts = Array.from({ length: 8 }, (_, at) => ({
		...ACCOUNTS[0],
		number: `10${at}`,
	}));
	await startSession(page, client, "consented");
	const sendWasm = await holdRequests(page, "**/*.wasm");
	const sendList = client.hold("list-accounts");
	await page.goto("/integration/accounts", { waitUntil: "commit" });
	const link = newBankLink(page);
	await expect(link).toBeVisible();
	await expect(
		page.getByRole("link", { name: "Acessibilidade" }),
		"the footer",
	).toBeVisible();
	await page.evaluate(() => document.fonts.ready);
	const before = await link.boundingBox();
	await expect(accountsAge(page), "no age before the list").toBeHidden();
	sendWasm();
	await expect.poll(() => client.requestsOf("list-accounts").length).toBe(1);
	expect(await link.boundingBox()).toEqual(before);
	sendList();
	await expect(page.getByText("107")).toBeVisible();
	const bottom = async () => (await boxOf(link)).bottom;
	const height = page.viewportSize()?.height ?? 0;
	const atEdge = await bottom();
	expect(height - atEdge).toBeLessThan(24);
	expect(atEdge).toBeLessThan(height);
	await test.step("Scrolling moves the list, not the button", async () => {
		await page.mouse.wheel(0, 200);
		await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
		expect(await bottom()).toBe(atEdge);
	});
	await test.step("On a low screen it ends the list", async () => {
		await page.setViewportSize({ width: 360, height: 599 });
		await page.evaluate(() => scrollTo(0, 0));
		await expect(link).not.toBeInViewport();
	});
});

test("a new account is shown in the list's order, and an unchanged list stays as it is", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	const made = await arrive(page, client);
	const [old, added] = ACCOUNTS;
	const rows = page.locator("tbody").getByRole("row");
	await rows.evaluate((row) => row.setAttribute("data-seen", "before"));
	await page.clock.runFor(3000);
	await expect.poll(made).toBe(1);
	await expect(rows).toHaveAttribute("data-seen", "before");
	client.accounts = [added, old];
	await expect(async () => {
		await page.clock.runFor(3000);
		await expect(rows).toHaveCount(2, { timeout: 500 });
	}).toPass();
	await expect(rows.first()).toContainText(added.number);
	await expect(rows.last()).toContainText(old.number);
});

test("the last linking replaces the lead for ten minutes, and says what is next until it is listed", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	await installClock(page);
	await startSession(page, client, "linked");
	await page.goto("/integration/accounts");
	const line = page.getByText(/^Você conectou Itaú às \d\dh\d\d\.$/);
	const next = page.getByText("A conta aparece na lista em até 5 minutos.");
	const lead = page.locator(".step__lead");
	await expect(line).toBeVisible();
	await expect(next).toBeVisible();
	await waitForHydration(page);
	await expect(lead).toBeHidden();
	await expect(newBankLink(page)).toHaveClass(/button--secondary/);
	client.accounts = [ACCOUNTS[0]];
	await page.clock.fastForward("09:50");
	await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
	await expect(line).toBeVisible();
	await expect(next).toBeHidden();
	await expect(newBankLink(page)).toHaveClass(/button--primary/);
	await page.clock.fastForward("00:10");
	await expect(line).toBeHidden();
	await expect(lead).toHaveText(
		"O escritório só pode ler os extratos das suas contas.",
	);
});

test("the next poll is sent 3 seconds after each response, never two at a time", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	const made = await arrive(page, client);
	const release = client.hold("list-accounts");
	client.accounts = ACCOUNTS;
	await page.clock.runFor(3000);
	await expect.poll(made).toBe(1);
	// While a poll is pending, no second one starts.
	await page.clock.runFor(30_000);
	expect(made()).toBe(1);
	release();
	await expect(page.getByText(ACCOUNTS[1].number)).toBeVisible();
	await page.clock.runFor(2999);
	expect(made()).toBe(1);
	await page.clock.runFor(1);
	await expect.poll(made).toBe(2);
});

test("a hidden tab does not poll; shown again, it polls at once", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	const made = await arrive(page, client);
	await setHidden(page, true);
	await page.clock.runFor(60_000);
	expect(made()).toBe(0);
	await setHidden(page, false);
	await expect.poll(made).toBe(1);
});

test("a poll that is pending when the tab is hidden is dropped without a word", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	const made = await arrive(page, client);
	const release = client.hold("list-accounts");
	await page.clock.runFor(3000);
	await expect.poll(made).toBe(1);
	const dropped = page.waitForEvent("requestfailed");
	await setHidden(page, true);
	await dropped;
	await expectListed(page);
	await expect(failureToast(page)).toHaveCount(0);
	release();
	await setHidden(page, false);
	await expect.poll(made).toBe(2);
	await expectListed(page);
});

test("only changes of the list are announced, not how old it is or how long it takes", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	await arrive(page, client);
	const live = page.locator("[aria-live]", { has: accountsTitle(page) });
	await expect(live).toHaveText("1 conta autorizada");
	await live.evaluate((region) => {
		new MutationObserver(() => region.setAttribute("data-said", "")).observe(
			region,
			{ childList: true, characterData: true, subtree: true },
		);
	});
	for (const answered of [1, 2, 3]) {
		const release = client.hold("list-accounts");
		const response = page.waitForResponse(/list_accounts/);
		await page.clock.runFor(3000);
		await expect
			.poll(() => client.requestsOf("list-accounts").length)
			.toBe(answered + 1);
		await page.clock.runFor(12_000);
		release();
		await (await response).finished();
	}
	await expect(live).not.toHaveAttribute("data-said");
	client.accounts = ACCOUNTS;
	await page.clock.runFor(3000);
	await expect(live).toHaveText("2 contas autorizadas");
	await expect(live).toHaveAttribute("data-said");
});

test("failed polls keep the last table, show one toast, and recover", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 500 .*list_accounts/);
	const client = newClient();
	const made = await arrive(page, client);
	client.respond("list-accounts", "drop");
	await page.clock.runFor(3000);
	await expect(accountsStatus(page)).toHaveText(UNANSWERED);
	await expect(failureToast(page)).toHaveCount(1);
	const failedAgain = page.waitForResponse(/list_accounts/);
	await page.clock.runFor(3000 + 2000);
	await failedAgain;
	await expect.poll(made).toBe(2);
	await expect(accountsStatus(page)).toHaveText(UNANSWERED);
	await expect(failureToast(page), "the first has closed").toHaveCount(0);
	await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
	client.respond("list-accounts", undefined);
	await page.clock.runFor(7000);
	await expectListed(page);
	expect(made()).toBe(3);
});

test("a slow first load is never aborted, and a slow poll after a minute", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	client.accounts = [ACCOUNTS[0]];
	const release = client.hold("list-accounts");
	await installClock(page);
	await arriveAtAccounts(page, client);
	await test.step("A slow first load is not aborted", async () => {
		await expect.poll(() => client.requestsOf("list-accounts").length).toBe(1);
		await expect(accountsStatus(page)).toHaveText("Carregando…");
		await stopClock(page);
		await page.clock.runFor(8000);
		await expect(accountsStatus(page)).toHaveText(
			"Está demorando mais que o normal…",
		);
		await page.clock.runFor(300_000);
		release();
		await expectListed(page);
	});

	await test.step("A slow poll is aborted after a minute", async () => {
		const releaseSecond = client.hold("list-accounts");
		await page.clock.runFor(3000);
		await expect.poll(() => client.requestsOf("list-accounts").length).toBe(2);
		await page.clock.runFor(59_000);
		await expectListed(page);
		await page.clock.runFor(1000);
		await expect(accountsStatus(page)).toHaveText(UNANSWERED);
		await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
		releaseSecond();
	});
});

test("a failed first load is not polled, and a retry keeps the focus and the lead", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 500 .*list_accounts/);
	const client = newClient().respond("list-accounts", "drop");
	await installClock(page);
	await arriveAtAccounts(page, client);
	const unknown = page.getByRole("cell", { name: UNKNOWN });
	await expect(unknown).toBeVisible();
	await expect(accountsStatus(page)).toHaveText(UNKNOWN);
	await expect(failureToast(page)).toBeVisible();
	await test.step("The failure is not polled", async () => {
		const before = client.requestsOf("list-accounts").length;
		await page.clock.runFor(10_000);
		expect(client.requestsOf("list-accounts")).toHaveLength(before);
		// The page must not state that there are no accounts.
		await expect(page.getByText("Nenhuma conta autorizada")).toBeHidden();
	});
	const again = retryButton(page);
	const lead = page.getByText(
		"O escritório só pode ler os extratos das suas contas.",
	);
	await test.step("A retry that fails keeps the focus and the lead", async () => {
		const release = client.hold("list-accounts");
		const repeated = page.waitForRequest(/list_accounts/);
		await again.press("Enter");
		await repeated;
		let more = 0;
		page.on("request", () => (more += 1));
		await expect(again).toHaveAttribute("aria-busy", "true");
		await expect(accountsStatus(page)).toHaveText("Carregando…");
		await expect(lead).toBeVisible();
		await again.press("Enter");
		release();
		await expect(unknown).toBeVisible();
		await expect(again).toHaveAttribute("aria-busy", "false");
		await expect(again).toBeFocused();
		expect(more, "busy, it is not pressed").toBe(0);
	});
	await test.step("A retry that succeeds moves the focus to the list", async () => {
		client.respond("list-accounts", undefined);
		client.accounts = [ACCOUNTS[0]];
		await again.press("Enter");
		await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
		await expect(
			page.getByRole("table", { name: "Contas autorizadas" }),
		).toBeFocused();
	});
});

test("a list that is not the server's counts as no response", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	client.accounts = [ACCOUNTS[0]];
	await page.route(
		"**/api/list_accounts",
		(route) => route.fulfill({ body: "<html>Wi-Fi</html>" }),
		{ times: 1 },
	);
	await arriveAtAccounts(page, client);
	await expect(page.getByRole("cell", { name: UNKNOWN })).toBeVisible();
	await retryButton(page).click();
	await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
});

test("on a phone a list that loads shows a line as wide as its card", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	client.hold("list-accounts");
	await arriveAtAccounts(page, client);
	const card = await boxOf(
		page.locator("tr", { has: page.locator(".skeleton__line") }),
	);
	const line = await boxOf(page.locator(".skeleton__line"));
	expect(line.width).toBeGreaterThan(0.8 * card.width);
});

test("an empty list moves neither the table nor the button when it arrives", {
	tag: "@both-sizes",
}, async ({ page, newClient }) => {
	const client = newClient();
	const release = client.hold("list-accounts");
	await arriveAtAccounts(page, client);
	await waitForHydration(page);
	const tops = () =>
		Promise.all(
			[page.getByRole("table"), newBankLink(page)].map(
				async (part) => (await boxOf(part)).y,
			),
		);
	const before = await tops();
	release();
	await expect(
		page.getByRole("cell", { name: "Nenhuma conta autorizada." }),
	).toBeVisible();
	expect(await tops()).toEqual(before);
});
