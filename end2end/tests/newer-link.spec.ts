/** A second link is opened in the same browser: the pages of the first stop at their next request. */
import type { BrowserContext, Page } from "@playwright/test";
import { ITEM_ID } from "../support/connect-stand-in.ts";
import { expect, linkOf, test } from "../support/fixtures.ts";
import {
	consentBox,
	consentButton,
	retryButton,
	toasts,
} from "../support/locators.ts";
import { installClock, setHidden, stopClock } from "../support/page.ts";
import { arriveAtAccounts, arriveAtConnect } from "../support/steps.ts";
import { ACCOUNTS, type Client } from "../support/widget-api.ts";

/** The server's response to the first tab. */
const REPLACED = /status of 409/;

const notice = (page: Page) =>
	page.getByRole("dialog", { name: "Esta página parou" });

async function pressConsent(page: Page): Promise<void> {
	await consentBox(page).check();
	await consentButton(page).click();
}

/** Opens a link in another tab. */
async function openInNewTab(
	context: BrowserContext,
	client: Client,
): Promise<Page> {
	const other = await context.newPage();
	await other.goto(linkOf(client));
	return other;
}

test("the notice has the focus, ignores Escape, and makes the page unreachable", {
	tag: "@both-sizes",
}, async ({ page, context, newClient, browserErrors }) => {
	browserErrors.expect(REPLACED);
	const client = newClient();
	await page.goto(linkOf(client));
	await openInNewTab(context, newClient());
	await page.bringToFront();
	await expect(notice(page), "nothing was requested yet").toBeHidden();
	await pressConsent(page);
	await expect(notice(page)).toBeFocused();
	await expect(notice(page)).toHaveAccessibleDescription(
		"Outro link foi aberto neste navegador. Para continuar, abra de novo o link que você recebeu.",
	);
	// Another site may have opened it, so that nothing leads there.
	await expect(notice(page).getByRole("link")).toHaveCount(0);
	expect(client.requestsOf("authorize-customer")).toEqual([]);
	for (const key of [
		"Escape",
		"Escape",
		"Tab",
		"Tab",
		"Shift+Tab",
		"Shift+Tab",
		"Escape",
	]) {
		await page.keyboard.press(key);
		await expect(notice(page)).toBeVisible();
		await expect(page.locator(":focus:not(dialog)"), key).toHaveCount(0);
	}
	const reached = await page.locator("input[type=checkbox]").evaluate((box) => {
		box.scrollIntoView({ block: "center" });
		const { x, y, width, height } = box.getBoundingClientRect();
		return document
			.elementFromPoint(x + width / 2, y + height / 2)
			?.closest("dialog, main")?.localName;
	});
	expect(reached, "what a press on the box reaches").toBe("dialog");
});

test("the same link in another tab is the same session", async ({
	page,
	context,
	newClient,
}) => {
	const client = newClient();
	await page.goto(linkOf(client));
	await openInNewTab(context, client);
	await page.bringToFront();
	await pressConsent(page);
	await expect(page).toHaveURL("/integration/accounts");
});

test("a late response restores the first session, and no tab acts for the other", async ({
	page,
	context,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(REPLACED);
	const [first, second] = [
		newClient(),
		newClient({ client_name: "Oficina do Segundo Link" }),
	];
	await page.goto(linkOf(first));
	const release = first.hold("authorize-customer");
	await pressConsent(page);
	await expect
		.poll(() => first.requestsOf("authorize-customer").length)
		.toBe(1);
	const other = await openInNewTab(context, second);
	release();
	await expect(page).toHaveURL("/integration/accounts");
	await pressConsent(other);
	await expect(notice(other)).toBeVisible();
	expect(second.requestsOf("authorize-customer")).toEqual([]);
	await other.goto(linkOf(second));
	await expect(other.getByText(second.data.client_name)).toBeVisible();
	await pressConsent(other);
	await expect(other).toHaveURL("/integration/accounts");
	expect(second.requestsOf("authorize-customer")).toHaveLength(1);
	expect(first.requestsOf("authorize-customer")).toHaveLength(1);
});

test("the next poll of the first tab shows the notice, and is the last one", async ({
	page,
	context,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(REPLACED);
	const [first, second] = [newClient(), newClient()];
	first.accounts = [ACCOUNTS[0]];
	await installClock(page);
	await arriveAtAccounts(page, first);
	await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
	await stopClock(page);
	// The stopped clock applies to all tabs, so this waits for the new session only.
	const tab = await context.newPage();
	await tab.goto(linkOf(second), { waitUntil: "commit" });
	await expect(tab).toHaveURL("/integration/widget");
	await page.clock.runFor(3000);
	await expect(notice(page)).toBeVisible();
	let requests = 0;
	page.on("request", () => (requests += 1));
	await page.clock.runFor(120_000);
	await setHidden(page, true);
	await setHidden(page, false);
	await page.clock.runFor(10_000);
	expect(requests).toBe(0);
	await expect(toasts(page)).toHaveCount(0);
	expect(second.requestsOf("list-accounts")).toEqual([]);
});

test("a success screen of a replaced session shows the notice and nothing else", async ({
	page,
	context,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 500 .*confirm_success/, REPLACED);
	const client = newClient().respond("success", "drop");
	await page.goto(linkOf(client, "&of-success"));
	await expect(retryButton(page)).toBeVisible();
	await page.getByRole("button", { name: "Fechar aviso" }).click();
	const state = page.locator(".success__state");
	const before = await state.textContent();
	await openInNewTab(context, newClient());
	await page.bringToFront();
	await retryButton(page).click();
	await expect(notice(page)).toBeVisible();
	await expect(toasts(page)).toHaveCount(0);
	expect(await state.textContent()).toBe(before);
});

test("the notice covers an open Connect, whose account is kept for its own link", async ({
	page,
	context,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(REPLACED);
	const [first, second] = [newClient(), newClient()];
	const frame = await arriveAtConnect(page, first);
	await openInNewTab(context, second);
	await page.bringToFront();
	await frame.getByRole("button", { name: "Continuar" }).click();
	await expect(notice(page)).toHaveAccessibleDescription(
		/^A conta foi conectada no banco\. Outro link/,
	);
	const items = (client: Client) =>
		client.requestsOf("log").filter(({ text }) => text.includes(ITEM_ID));
	expect([items(first), items(second)]).toEqual([[], []]);
	await page.goto(linkOf(first));
	await expect.poll(() => items(first).length).toBe(1);
	expect(items(second)).toEqual([]);
});
