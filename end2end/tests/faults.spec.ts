/**
 * Faults between browser and server: no network, a reload in the middle, a double click, files that do not load. After
 * each fault the page shows a message and a way to continue, and keeps the client's progress.
 */
import type { Page } from "@playwright/test";
import type { BrowserErrors } from "../support/browser-errors.ts";
import { expect, linkOf, test } from "../support/fixtures.ts";
import {
	brokenPart,
	cancelAllButton,
	consentBox,
	consentButton,
	newBankLink,
	nextButton,
	retryButton,
	successTitle,
} from "../support/locators.ts";
import { installClock, waitForHydration } from "../support/page.ts";
import {
	arriveAtAccounts,
	arriveAtConnect,
	arriveBeforeConnect,
	chooseBank,
	fillAdministrator,
	startSession,
	waitForConnect,
} from "../support/steps.ts";
import { ACCOUNTS } from "../support/widget-api.ts";

test.use({ withConnect: true });

test("a success without a network survives a reload without a second login", async ({
	page,
	context,
	newClient,
	standIn,
	browserErrors,
}) => {
	browserErrors.expect(
		/request failed: .* net::ERR_INTERNET_DISCONNECTED/,
		/console error: .*ERR_INTERNET_DISCONNECTED/,
	);
	const client = newClient();
	const frame = await arriveAtConnect(page, client);
	await context.setOffline(true);
	await frame.getByRole("button").click();
	await expect(retryButton(page)).toBeVisible();
	await context.setOffline(false);
	await page.reload();
	await expect(successTitle(page)).toBeVisible();
	expect(standIn.openings).toBe(1);
	expect(client.requestsOf("connect-token")).toHaveLength(1);
	expect(
		client.log.filter(({ type }) => type === "pluggy-widget-success"),
	).toHaveLength(1);
});

test("a success without a network is never shown as unfinished", async ({
	page,
	context,
	newClient,
	standIn,
	browserErrors,
}) => {
	browserErrors.expect(
		/request failed: .* net::ERR_INTERNET_DISCONNECTED/,
		/console error: .*ERR_INTERNET_DISCONNECTED/,
	);
	const client = newClient();
	client.accounts = [ACCOUNTS[1]];
	const frame = await arriveAtConnect(page, client);
	await context.setOffline(true);
	await frame.getByRole("button").click();
	await expect(retryButton(page)).toBeVisible();
	await context.setOffline(false);
	const accepted = page.waitForResponse(/finish_connect/);
	await page.getByRole("link", { name: "Voltar para as contas" }).click();
	expect((await accepted).status()).toBe(200);
	await expect(
		successTitle(page),
		"the accounts finish it first",
	).toBeVisible();
	await page.goto("/integration/accounts");
	await expect(page.getByText(/^Você conectou Itaú às /)).toBeVisible();
	await expect(page.getByText(/não foi concluída/)).toHaveCount(0);
	expect(standIn.openings).toBe(1);
});

test("a double click sends one consent, one form, one cancellation", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	await test.step("Give the consent", async () => {
		await page.goto(linkOf(client));
		await consentBox(page).check();
		await consentButton(page).dblclick();
		await expect(page).toHaveURL("/integration/accounts");
		expect(client.requestsOf("authorize-customer")).toHaveLength(1);
	});
	await test.step("Send the bank form", async () => {
		await waitForHydration(page);
		await newBankLink(page).dblclick();
		await expect(page).toHaveURL("/integration/select-bank");
		await chooseBank(page, "Itaú");
		await fillAdministrator(page);
		await nextButton(page).dblclick();
		await waitForConnect(page);
		expect(client.requestsOf("connect-token")).toHaveLength(1);
	});
	await test.step("Cancel all integrations", async () => {
		client.accounts = ACCOUNTS;
		await page.goto("/cancel/confirm");
		await cancelAllButton(page).dblclick();
		await expect(page).toHaveURL("/cancel/success");
		expect(client.requestsOf("cancel-integrations")).toHaveLength(1);
	});
});

test("a double click retries once", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(
		/status of 500 .*confirm_success/,
		/status of 500 .*list_accounts/,
	);
	const client = newClient()
		.respond("list-accounts", "cut", undefined)
		.respond("success", "drop", undefined);
	await test.step("Retry the success call", async () => {
		await page.goto(linkOf(client, "&of-success"));
		await retryButton(page).dblclick();
		await expect.poll(() => client.requestsOf("success").length).toBe(2);
		await expect(retryButton(page)).toBeHidden();
	});
	await test.step("Retry the list", async () => {
		client.accounts = ACCOUNTS;
		await page.goto("/cancel/confirm");
		await retryButton(page).dblclick();
		await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
		expect(client.requestsOf("list-accounts")).toHaveLength(2);
	});
	expect(client.requestsOf("success")).toHaveLength(2);
});

/** React's files, without the page's module, which is in the same folder. */
const REACT = /\/islands\/(?!page-)[^/]*\.js$/;

/** The page's module. */
const PAGE = /\/islands\/page-[^/]*\.js$/;

/** Files fail like this after a release that removes old files, or behind a proxy that blocks them. */
const LOSSES = {
	"not found": {
		response: { status: 404, body: "" },
		errors: [/console error: .*status of 404/],
	},
	"cut off": {
		response: undefined,
		errors: [
			/request failed: .* net::ERR_FAILED/,
			/console error: .*ERR_FAILED/,
		],
	},
};

/** Makes later requests for these files fail. */
async function lose(
	page: Page,
	files: string | RegExp,
	how: keyof typeof LOSSES,
	browserErrors: BrowserErrors,
): Promise<void> {
	const { response, errors } = LOSSES[how];
	browserErrors.expect(...errors);
	await page.route(files, (route) =>
		response === undefined ? route.abort() : route.fulfill(response),
	);
}

for (const { what, files, how, report, paths } of [
	{
		what: "wasm",
		files: /\.wasm$/,
		how: "cut off",
		report: /island failed: wasm/,
		paths: ["/cancel/confirm", "/integration/select-bank"],
	},
	{
		what: "React",
		files: REACT,
		how: "not found",
		report: /island failed: bank-form/,
		paths: ["/integration/select-bank"],
	},
	{
		what: "the page’s module",
		files: PAGE,
		how: "not found",
		report: /island failed: page/,
		paths: ["/integration/accounts", "/integration/select-bank"],
	},
] as const) {
	test(`${what} ${how}: a message offers a reload, which helps`, async ({
		page,
		newClient,
		browserErrors,
	}) => {
		await startSession(page, newClient(), "consented");
		await lose(page, files, how, browserErrors);
		if (report) browserErrors.expect(report);
		for (const path of paths) {
			await page.goto(path);
			await expect(brokenPart(page)).toBeFocused();
		}
		await page.unroute(files);
		await page.getByRole("link", { name: "Recarregar a página" }).click();
		await waitForHydration(page);
		await expect(brokenPart(page)).toBeHidden();
	});
}

test("wasm that crashes in a poll: a message offers a reload, which helps", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(
		/page error: unreachable/,
		/island failed: wasm: RuntimeError: unreachable/,
	);
	const client = newClient();
	client.accounts = ACCOUNTS;
	await installClock(page);
	await arriveAtAccounts(page, client);
	const account = page.getByText(ACCOUNTS[0].number);
	await expect(account).toBeVisible();
	await page.evaluate(() => {
		// A module with one function `f`, which traps as a panic does.
		const bytes = [
			[0, 97, 115, 109, 1, 0, 0, 0],
			[1, 4, 1, 96, 0, 0],
			[3, 2, 1, 0],
			[7, 5, 1, 1, 102, 0, 0],
			[10, 5, 1, 3, 0, 0, 11],
		];
		const module = new WebAssembly.Module(new Uint8Array(bytes.flat()));
		const { f } = new WebAssembly.Instance(module).exports;
		// The island asks before each call whether the page has stopped.
		Object.assign(Reflect.get(window, "vincula"), { isStopped: f });
	});
	await page.clock.runFor(3000);
	await expect(brokenPart(page)).toBeFocused();
	await expect(account, "an old list would look current").toBeHidden();
	await page.getByRole("link", { name: "Recarregar a página" }).click();
	await expect(account).toBeVisible();
	await expect(brokenPart(page)).toBeHidden();
});

test("an island without its session data shows a message, and is reported", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/island failed: wasm/);
	const client = newClient();
	await startSession(page, client, "consented");
	await page.route("**/integration/accounts", async (route) => {
		const response = await route.fetch();
		const html = await response.text();
		const body = html.replace(/(id="vincula-context"[^>]*>)[^<]*/, "$1{}");
		expect(body).not.toBe(html);
		await route.fulfill({ response, body });
	});
	const reported = page.waitForRequest("**/api/report_island");
	await page.goto("/integration/accounts");
	await expect(brokenPart(page)).toBeFocused();
	expect((await reported).postDataJSON()).toEqual({
		input: {
			island: "wasm",
			// A debug build appends the line of the source.
			reason: expect.stringMatching(/^Error: the context is unreadable/),
		},
	});
});

test("the consent works without React’s files", async ({
	page,
	newClient,
	browserErrors,
}) => {
	await lose(page, REACT, "cut off", browserErrors);
	browserErrors.expect(/island failed: consent/);
	const failed = page.waitForRequest(/report_island/);
	await page.goto(linkOf(newClient()));
	await failed;
	await consentBox(page).check();
	await consentButton(page).click();
	await expect(page).toHaveURL("/integration/accounts");
});

test("consent and cancellation work without the page’s module", async ({
	page,
	newClient,
	browserErrors,
}) => {
	await lose(page, PAGE, "cut off", browserErrors);
	browserErrors.expect(/island failed: page/);
	const client = newClient();
	await page.goto(linkOf(client));
	await consentBox(page).check();
	await consentButton(page).click();
	await expect(page).toHaveURL("/integration/accounts");
	await page.goto("/cancel/confirm");
	await cancelAllButton(page).click();
	await expect(page).toHaveURL("/cancel/success");
	expect(client.requestsOf("cancel-integrations")).toHaveLength(1);
});

test("a missing Connect SDK shows a card, and a retry loads it", async ({
	page,
	newClient,
	browserErrors,
	standIn,
}) => {
	const manifest = await (
		await page.request.get("/islands/manifest.json")
	).text();
	const files = `**${/"preload":\s*\[\s*"([^"]+)"/.exec(manifest)?.[1]}`;
	await lose(page, files, "not found", browserErrors);
	await arriveBeforeConnect(page, newClient());
	await expect(
		page.getByRole("heading", {
			name: "Não foi possível abrir a conexão com o banco",
		}),
	).toBeFocused();
	expect(standIn.openings).toBe(0);
	await page.unroute(files);
	await retryButton(page).click();
	const frame = await waitForConnect(page);
	await frame.getByRole("button").click();
	await expect(successTitle(page)).toBeVisible();
});
