/**
 * Error screens of failed calls, one test per kind of code that makes calls. `src/tests/catalogue.rs`
 * covers all calls.
 */

import type { Page } from "@playwright/test";
import { expect, linkOf, test } from "../support/fixtures.ts";
import { errorUrl } from "../support/locators.ts";
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
	by: string;
	call: CallName;
	responses: (ScriptedResponse | undefined)[];
	to: RegExp;
	status: number;
	data?: Partial<SessionData>;
	go: (page: Page, client: Client) => Promise<unknown>;
}[] = [
	{
		by: "the entry",
		call: "validate-token",
		responses: [errorResponse(404, "Not found")],
		to: errorUrl("token-not-exists"),
		status: 422,
		go: (page, client) => page.goto(linkOf(client)),
	},
	{
		by: "React",
		call: "connect-token",
		responses: [
			errorResponse(404, "Item not found", { code: "ITEM_NOT_FOUND" }),
		],
		to: errorUrl("link-not-exists"),
		status: 422,
		data: { widget_type: "update", link_id: "gone" },
		go: (page, client) => page.goto(linkOf(client)),
	},
	{
		by: "a Leptos island",
		call: "list-accounts",
		responses: [
			undefined,
			{ status: 500, text: "<h1>500</h1>", type: "text/html" },
		],
		to: errorUrl("token-invalid", { outage: true }),
		status: 500,
		go: arriveAtAccounts,
	},
];

for (const { by, call, responses, to, status, data, go } of FAILURES) {
	test(`the error of a failed call by ${by} replaces the screen that failed`, async ({
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

test("token-not-found replaces a page without a session in the history", {
	tag: "@deployed",
}, async ({ page }) => {
	await page.goto("/error/link-not-updated");
	await page.goto("/integration/accounts");
	await expect(page).toHaveURL("/error/token-not-found");
	await page.goBack();
	await expect(page).toHaveURL("/error/link-not-updated");
});

test("the support code can be copied, and that is announced", {
	tag: "@deployed",
}, async ({ page, context }) => {
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	const code = "0123456789ab";
	await page.goto(`/error/token-invalid?codigo=${code}`);
	await page.getByRole("button", { name: "Copiar" }).click();
	await expect(
		page.locator("[aria-live]", { hasText: "Código copiado" }),
	).toBeVisible();
	expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
});
