/** `/cancel/confirm` and `/cancel/success`. */
import { expect, linkOf, test } from "../support/fixtures.ts";
import {
	cancelAllButton,
	cancelLink,
	cancellationStatus,
	failureToast,
	mainHeading,
	retryButton,
} from "../support/locators.ts";
import {
	boxOf,
	holdRequests,
	installClock,
	stopClock,
	waitForHydration,
} from "../support/page.ts";
import {
	arriveAtAccounts,
	cancelEverything,
	keepItem,
	keptItems,
	startSession,
} from "../support/steps.ts";
import { ACCOUNTS, type Client } from "../support/widget-api.ts";

const QUESTION =
	"Tem certeza que deseja cancelar todas essas contas bancárias integradas?";
const UNKNOWN = "Não foi possível carregar as contas.";
const UNANSWERED = "Ainda sem confirmação. Confira a internet e toque de novo.";

const LISTS: {
	that: string;
	script?: (client: Client) => unknown;
	/** The last text of the live region, which is for screen readers only once there are accounts. */
	announced: RegExp | string;
	errors?: RegExp;
}[] = [
	{
		that: "is empty",
		announced: /^Nenhuma conta na lista\. Cancele assim mesmo/,
	},
	{
		that: "has accounts",
		script: (client) => (client.accounts = ACCOUNTS.slice(0, 1)),
		announced: /^1 conta na lista$/,
	},
	{
		that: "hangs",
		script: (client) => client.hold("list-accounts"),
		announced: /^Carregando…$/,
	},
	{
		that: "has no answer",
		script: (client) => client.respond("list-accounts", "drop"),
		announced: UNKNOWN,
		errors: /status of 500 .*list_accounts/,
	},
	{
		that: "is out of order",
		script: (client) =>
			client.respond("list-accounts", { status: 500, json: null }),
		announced: UNKNOWN,
		errors: /status of 500 .*list_accounts/,
	},
	{
		that: "is refused",
		script: (client) =>
			client.respond("list-accounts", {
				status: 422,
				json: { meta: { status: 422, message: "no" } },
			}),
		announced: UNKNOWN,
		errors: /status of 422 .*list_accounts/,
	},
	{
		that: "is requested too often",
		script: (client) =>
			client.respond("list-accounts", { status: 429, json: null }),
		announced: UNKNOWN,
		errors: /status of 500 .*list_accounts/,
	},
];

for (const { that, script, announced, errors } of LISTS) {
	test(`question and button work if the list ${that}, and the way out is below`, async ({
		page,
		newClient,
		browserErrors,
	}) => {
		if (errors) browserErrors.expect(errors);
		const client = newClient({ widget_type: "cancel" });
		script?.(client);
		await startSession(page, client, "entered");
		const release = await holdRequests(page, "**/api/list_accounts");
		await page.goto("/cancel/confirm");
		const region = page.locator("[aria-live=polite]", {
			hasText: "Carregando…",
		});
		await waitForHydration(page);
		const expectQuestion = async () => {
			await expect(mainHeading(page)).toHaveText(QUESTION);
			await expect(
				page.getByText("Para integrar de novo, fale com o escritório."),
			).toBeVisible();
			await expect(cancelAllButton(page)).toBeVisible();
		};
		await expectQuestion();
		// The live region is in the document before it has a text.
		const status = await region.elementHandle();
		release();
		await expect
			.poll(() => status?.textContent(), "the same region")
			.toMatch(announced);
		await expectQuestion();
		const button = await boxOf(cancelAllButton(page));
		const back = await boxOf(
			page.getByRole("link", { name: "Voltar sem cancelar" }),
		);
		expect(back.y - button.bottom).toBe(12);
		expect(back.height).toBeGreaterThanOrEqual(44);
		await cancelAllButton(page).click();
		await expect(page).toHaveURL("/cancel/success");
		expect(client.requestsOf("cancel-integrations")).toHaveLength(1);
	});
}

for (const { that, json, path } of [
	{
		that: "unknown",
		json: { meta: { status: 404, message: "Token not found" } },
		path: /^\/error\/token-not-exists\?/,
	},
	{
		that: "expired",
		json: { meta: { status: 401, message: "Expired token" } },
		path: /^\/error\/token-expired\?/,
	},
])
	test(`a list that is refused for a token that is ${that} leads to its error screen`, async ({
		page,
		newClient,
		browserErrors,
	}) => {
		browserErrors.expect(/status of (410|422) .*list_accounts/);
		const client = newClient({ widget_type: "cancel" });
		client.respond("list-accounts", { status: json.meta.status, json });
		await page.goto(linkOf(client));
		await page.waitForURL(({ pathname, search }) =>
			path.test(pathname + search),
		);
		await expect(cancelAllButton(page)).toHaveCount(0);
	});

test("all accounts are listed with bank, branch, number and name, because the button ends all of them", async ({
	page,
	newClient,
}) => {
	const client = newClient({ widget_type: "cancel" });
	client.accounts = Array.from({ length: 12 }, (_, at) => ({
		...ACCOUNTS[0],
		number: `10${at}`,
	}));
	await page.goto(linkOf(client));
	const rows = page.getByRole("listitem");
	await expect(rows).toHaveCount(12);
	const { agency, name } = ACCOUNTS[0];
	for (const [at, { number }] of client.accounts.entries())
		await expect(rows.nth(at)).toHaveText(
			`ItaúAgência ${agency}, conta ${number}${name}`,
		);
});

test("a slow cancellation is announced below the button, and so is its failure", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 500 .*cancel_integrations/);
	const client = newClient({ widget_type: "cancel" }).respond(
		"cancel-integrations",
		"drop",
	);
	client.accounts = [...ACCOUNTS];
	const release = client.hold("cancel-integrations");
	await installClock(page);
	await page.goto(linkOf(client));
	const line = cancellationStatus(page);
	await expect(page.getByText(ACCOUNTS[1].number)).toBeVisible();
	await expect(line).toBeEmpty();
	await stopClock(page);
	await cancelAllButton(page).click();
	await expect
		.poll(() => client.requestsOf("cancel-integrations").length)
		.toBe(1);
	await page.clock.runFor(999);
	await expect(line).toBeEmpty();
	await page.clock.runFor(1);
	await expect(line).toHaveText("Cancelando…");
	await page.clock.runFor(7000);
	await expect(line).toHaveText("Está demorando mais que o normal…");
	release();
	await expect(line).toHaveText(UNANSWERED);
});

test("a slow list does not replace the announcement of a cancellation", async ({
	page,
	newClient,
}) => {
	const client = newClient({ widget_type: "cancel" });
	client.accounts = [...ACCOUNTS];
	const releaseList = client.hold("list-accounts");
	client.hold("cancel-integrations");
	await installClock(page);
	await page.goto(linkOf(client));
	const line = cancellationStatus(page);
	await stopClock(page);
	await page.clock.runFor(2000);
	await cancelAllButton(page).click();
	await expect
		.poll(() => client.requestsOf("cancel-integrations").length)
		.toBe(1);
	await page.clock.runFor(1000);
	await expect(line).toHaveText("Cancelando…");
	// The list has been pending for more than eight seconds, the cancellation has not.
	await page.clock.runFor(6000);
	await expect(line).toHaveText("Cancelando…");
	releaseList();
	await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
	await expect(line).toHaveText("Cancelando…");
});

test("a retry of a failed list keeps the focus, which then moves to the result", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 500 .*list_accounts/);
	const again = retryButton(page);
	const line = page.locator(".cancel-list [aria-live=polite]");
	for (const { accounts, announced, to } of [
		{
			accounts: ACCOUNTS,
			announced: /^2 contas na lista$/,
			to: page.getByRole("list", { name: "Contas autorizadas" }),
		},
		{
			accounts: [],
			announced: /^Nenhuma conta na lista/,
			to: mainHeading(page),
		},
	]) {
		const failure = { status: 500, json: null };
		const client = newClient({ widget_type: "cancel" }).respond(
			"list-accounts",
			failure,
			failure,
			undefined,
		);
		client.accounts = [...accounts];
		await page.goto(linkOf(client));
		await expect(line).toHaveText(UNKNOWN);
		const release = client.hold("list-accounts");
		await again.press("Enter");
		await expect(line).toHaveText("Carregando…");
		await expect(again).toBeFocused();
		release();
		await expect(line).toHaveText(UNKNOWN);
		await expect(again).toBeFocused();
		await expect(failureToast(page)).toBeVisible();
		await again.press("Enter");
		await expect(line).toHaveText(announced);
		await expect(to).toBeFocused();
	}
});

test("before hydration the browser posts the button's form", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(
		/request failed: .* net::ERR_FAILED/,
		/console error: .*ERR_FAILED/,
		/island failed: wasm/,
	);
	const client = newClient({ widget_type: "cancel" });
	await startSession(page, client, "entered");
	await page.route(/\.wasm$/, (route) => route.abort());
	await page.goto("/cancel/confirm");
	await expect(
		page.getByText("Não foi possível mostrar esta parte da página."),
	).toBeFocused();
	await cancelAllButton(page).click();
	await expect(page).toHaveURL("/cancel/success");
	expect(client.requestsOf("cancel-integrations")).toHaveLength(1);
});

test("one press cancels once, a reload cancels nothing, and Back skips the question", async ({
	page,
	newClient,
}) => {
	const client = newClient({ widget_type: "cancel" });
	client.accounts = ACCOUNTS;
	await page.goto("/error/link-not-exists");
	await page.goto(linkOf(client));
	await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
	await page.reload();
	await waitForHydration(page);
	expect(client.requestsOf("cancel-integrations")).toEqual([]);
	const release = client.hold("cancel-integrations");
	const button = cancelAllButton(page);
	await button.click();
	await expect(button).toHaveAttribute("aria-busy", "true");
	await expect(button.locator("[class*=spinner]")).toBeVisible();
	await expect(
		page.getByRole("link", { name: "Voltar sem cancelar" }),
	).toBeHidden();
	await button.click({ force: true });
	release();
	await expect(page).toHaveURL("/cancel/success");
	await expect(mainHeading(page)).toHaveText(
		"Integrações canceladas com sucesso!",
	);
	await page.goBack();
	await expect(page).toHaveURL("/error/link-not-exists");
	expect(client.requestsOf("cancel-integrations")).toHaveLength(1);
});

test("a failed cancellation can be retried; Back then leads to the firm’s contact", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 500 .*cancel_integrations/);
	const client = newClient().respond("cancel-integrations", "drop", undefined);
	client.accounts = ACCOUNTS;
	await arriveAtAccounts(page, client);
	await cancelLink(page).click();
	await waitForHydration(page);
	const button = cancelAllButton(page);
	await button.press("Enter");
	await expect(failureToast(page)).toBeVisible();
	await expect(button).not.toHaveAttribute("aria-busy", "true");
	await expect(button).toBeFocused();
	const unanswered = page.getByText(UNANSWERED);
	await expect(unanswered).toBeVisible();
	const release = client.hold("cancel-integrations");
	await button.click();
	// The same text would not be announced again.
	await expect(unanswered).toBeHidden();
	release();
	await expect(page).toHaveURL("/cancel/success");
	await page.goBack();
	await expect(page).toHaveURL("/integration/accounts");
	await expect(
		page.getByText("Você cancelou as suas integrações."),
	).toBeVisible();
	await expect(
		page.getByText(/Para conectar de novo, fale com o escritório/),
	).toBeVisible();
	await expect(page.locator(".button--primary:visible")).toHaveCount(0);
	const listed = page.getByText(
		"As contas podem levar alguns minutos para sair da lista.",
	);
	await expect(listed).toBeVisible();
	await expect(
		page.getByRole("heading", { name: "2 contas na lista" }),
	).toBeVisible();
	client.accounts = [];
	await expect(listed).toBeHidden();
	await page.goForward();
	await expect(page).toHaveURL("/cancel/success");
	expect(client.requestsOf("cancel-integrations")).toHaveLength(2);
});

test("an item that could not be submitted is logged after the cancellation", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/submit_item/);
	const client = newClient();
	client.accounts = ACCOUNTS;
	await arriveAtAccounts(page, client);
	await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
	await page.route("**/api/submit_item", (route) => route.abort());
	await keepItem(page, "an-item");
	await page.goto("/cancel/confirm");
	await cancelEverything(page);
	const mayClose = page.getByText("Você já pode fechar esta página.");
	await expect(mayClose).toBeHidden();
	expect(await keptItems(page)).toHaveLength(1);
	await page.unroute("**/api/submit_item");
	await page.reload();
	await expect(mayClose).toBeVisible();
	expect(client.log).toContainEqual({
		type: "pluggy-widget-success",
		status: "SUCCESS",
		data: { item: { id: "an-item" } },
	});
	expect(await keptItems(page)).toEqual([]);
});
