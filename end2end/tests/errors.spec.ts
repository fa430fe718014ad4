/**
 * Error screens of failed calls, one test per kind of code that makes calls. `src/tests/catalogue.rs`
 * covers all calls.
 */
import type { Page } from "@playwright/test";
import { expect, linkOf, test } from "../support/fixtures.ts";
import { failedInto } from "../support/page.ts";
import { arriveAtAccounts } from "../support/steps.ts";
import {
	ACCOUNTS,
	type CallName,
	type Client,
	errorResponse,
	type ScriptedResponse,
	type SessionData,
} from "../support/widget-api.ts";

const FAILURES: {
	of: string;
	call: CallName;
	responses: (ScriptedResponse | undefined)[];
	to: RegExp;
	status: number;
	data?: Partial<SessionData>;
	go: (page: Page, client: Client) => Promise<unknown>;
}[] = [
	{
		of: "the entry's script",
		call: "validate-token",
		responses: [errorResponse(404, "Not found")],
		to: failedInto("token-not-exists"),
		status: 422,
		go: (page, client) => page.goto(linkOf(client)),
	},
	{
		of: "React",
		call: "connect-token",
		responses: [
			errorResponse(404, "Item not found", { code: "ITEM_NOT_FOUND" }),
		],
		to: failedInto("link-not-exists"),
		status: 422,
		data: { widget_type: "update", link_id: "gone" },
		go: (page, client) => page.goto(linkOf(client)),
	},
	{
		of: "a poll of Leptos's",
		call: "list-accounts",
		responses: [
			undefined,
			{ status: 500, text: "<h1>500</h1>", type: "text/html" },
		],
		to: failedInto("token-invalid", { outage: true }),
		status: 500,
		go: arriveAtAccounts,
	},
];

for (const { of, call, responses, to, status, data, go } of FAILURES) {
	test(`a failed call of ${of} leads to its error, in place of the screen that failed`, async ({
		page,
		newClient,
		browserErrors,
	}) => {
		browserErrors.expect(new RegExp(`status of ${status} .*/api/`));
		const client = newClient(data).respond(call, ...responses);
		client.accounts = ACCOUNTS;
		await page.goto("/error/link-not-updated");
		await go(page, client);
		await expect(page).toHaveURL(to);
		const { headers } = client.requestsOf(call).at(-1) ?? {};
		await expect(
			page.getByRole("main").locator("code"),
			"the code is that of the call",
		).toHaveText(headers?.["x-request-id"] ?? "none");
		await page.goBack();
		await expect(page).toHaveURL("/error/link-not-updated");
	});
}

test("a page without a session redirects to token-not-found, replacing the history entry", async ({
	page,
}) => {
	await page.goto("/error/link-not-updated");
	await page.goto("/integration/accounts");
	await expect(page).toHaveURL("/error/token-not-found");
	await page.goBack();
	await expect(page).toHaveURL("/error/link-not-updated");
});

test("the support code can be copied, and that is announced", async ({
	page,
	context,
}) => {
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	const code = "0123456789ab";
	await page.goto(`/error/token-invalid?codigo=${code}`);
	await page.getByRole("button", { name: "Copiar" }).click();
	await expect(
		page.locator("[aria-live]", { hasText: "Código copiado" }),
	).toBeVisible();
	expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
});
