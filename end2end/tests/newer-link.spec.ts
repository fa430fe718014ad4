/** A second link is opened in the same browser: the pages of the first stop at once. */
import type { BrowserContext, Page } from "@playwright/test";
import { expect, linkOf, test } from "../support/fixtures.ts";
import {
	installClock,
	isPrefetched,
	stopClock,
	watchPrefetch,
} from "../support/page.ts";
import {
	arriveAtAccounts,
	arriveAtConnect,
	CONSENT,
	waitForHydration,
} from "../support/steps.ts";
import { ACCOUNTS, type Client } from "../support/widget-api.ts";

const CONTINUE = "Continuar com o link mais recente";

/** The server's response to the first tab. */
const REPLACED = /status of 409 .*check_session/;

const notice = (page: Page) =>
	page.getByRole("dialog", { name: "Você abriu outro link" });
const toasts = (page: Page) =>
	page.getByRole("region", { name: "Aviso" }).getByRole("paragraph");

/** Opens a link in another tab. */
async function openInNewTab(
	context: BrowserContext,
	client: Client,
): Promise<Page> {
	const other = await context.newPage();
	await other.goto(linkOf(client));
	await waitForHydration(other);
	return other;
}

/** Blocks broadcasts to this tab, as in the back/forward cache or in browsers that isolate tabs. */
async function blockBroadcasts(page: Page): Promise<void> {
	await page.addInitScript(() => {
		window.BroadcastChannel = class extends BroadcastChannel {
			override addEventListener(): void {}
		};
	});
}

test("the notice has the focus, ignores Escape, and makes the page behind it unreachable @both-sizes", async ({
	page,
	context,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(REPLACED);
	const client = newClient();
	await page.goto(linkOf(client));
	await waitForHydration(page);
	await openInNewTab(context, client);
	await expect(notice(page), "the same link is the same session").toBeHidden();
	await openInNewTab(context, newClient());
	await page.bringToFront();
	await expect(
		notice(page).getByRole("heading", { name: "Você abriu outro link" }),
	).toBeFocused();
	for (const key of ["Escape", "Escape", "Tab", "Tab", "Shift+Tab", "Escape"]) {
		await page.keyboard.press(key);
		await expect(notice(page)).toBeVisible();
		expect(
			await page.evaluate(
				() => document.activeElement?.closest("dialog, body")?.id ?? "",
			),
		).not.toBe("conteudo");
		await expect(page.getByRole("checkbox")).not.toBeFocused();
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

test("the notice is shown before a late response, which does not change the second session", async ({
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
	await waitForHydration(page);
	await page.getByRole("checkbox").check();
	const release = first.hold("authorize-customer");
	const ofConsent = (request: { url: () => string }) =>
		request.url().endsWith("/api/accept_consent");
	const ended = Promise.race([
		page.waitForEvent("requestfinished", ofConsent),
		page.waitForEvent("requestfailed", ofConsent),
	]);
	await page.getByRole("button", { name: CONSENT }).click();
	await expect
		.poll(() => first.requestsOf("authorize-customer").length)
		.toBe(1);
	const other = await openInNewTab(context, second);
	await expect(notice(page)).toBeVisible();
	await expect(toasts(page)).toHaveCount(0);
	release();
	await ended;
	await other.reload();
	await waitForHydration(other);
	await expect(other.getByText(second.data.client_name)).toBeVisible();
	await other.getByRole("checkbox").check();
	await other.getByRole("button", { name: CONSENT }).click();
	await expect(other).toHaveURL("/integration/accounts");
	expect(second.requestsOf("authorize-customer")).toHaveLength(1);
});

test("the notice’s link opens the newer link’s step in place of the older page", async ({
	page,
	context,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(REPLACED);
	await page.goto("/acessibilidade");
	await page.goto(linkOf(newClient()));
	await waitForHydration(page);
	const other = await openInNewTab(
		context,
		newClient({ widget_type: "cancel" }),
	);
	await page.getByRole("link", { name: CONTINUE }).click();
	await expect(page).toHaveURL("/cancel/confirm");
	await waitForHydration(page);
	for (const tab of [page, other]) await expect(notice(tab)).toBeHidden();
	await page.goBack();
	await expect(page).toHaveURL("/acessibilidade");
});

test("the polls of the first tab end without a message", async ({
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
	const release = first.hold("list-accounts");
	const before = first.requestsOf("list-accounts").length;
	await page.clock.runFor(3000);
	await expect
		.poll(() => first.requestsOf("list-accounts").length)
		.toBe(before + 1);
	// The stopped clock applies to all tabs, so this waits for the page only.
	await (await context.newPage()).goto(linkOf(second));
	await expect(notice(page)).toBeVisible();
	release();
	let asked = 0;
	page.on("request", () => {
		asked += 1;
	});
	await page.clock.runFor(120_000);
	expect(asked).toBe(0);
	await expect(toasts(page)).toHaveCount(0);
	expect(second.requestsOf("list-accounts")).toEqual([]);
});

test("the notice covers an open Connect", async ({
	page,
	context,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(REPLACED);
	await arriveAtConnect(page, newClient());
	await openInNewTab(context, newClient());
	await page.getByRole("link", { name: CONTINUE }).click();
	await expect(page).toHaveURL("/integration/widget");
});

test("a page from the back/forward cache asks whether there is a newer link", async ({
	page,
	context,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(REPLACED);
	await blockBroadcasts(page);
	await page.goto(linkOf(newClient()));
	await waitForHydration(page);
	await openInNewTab(context, newClient());
	await expect(notice(page)).toBeHidden();
	await page.evaluate(() =>
		window.dispatchEvent(
			new PageTransitionEvent("pageshow", { persisted: true }),
		),
	);
	await expect(notice(page)).toBeVisible();
});

test("a prefetched bank form shows no data of the second client, and its request is refused with the notice", async ({
	page,
	context,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 409 .*list_banks/);
	const [first, second] = [
		newClient(),
		newClient({ widget_account_admin_name: "Rui da Segunda Aba" }),
	];
	const { ready } = await watchPrefetch(page);
	// Polls do not inform the first tab either.
	await blockBroadcasts(page);
	first.hold("list-accounts");
	await arriveAtAccounts(page, first);
	await expect.poll(() => first.requestsOf("list-accounts").length).toBe(1);
	await page.getByRole("link", { name: "Integrar novo banco" }).hover();
	await ready;
	await arriveAtAccounts(await context.newPage(), second);
	await page.getByRole("link", { name: "Integrar novo banco" }).click();
	await expect(page).toHaveURL("/integration/select-bank");
	expect(await isPrefetched(page)).toBe(true);
	await expect(notice(page)).toBeVisible();
	await expect(
		page.getByLabel("Nome completo do administrador"),
	).not.toHaveValue("Rui da Segunda Aba");
	for (const client of [first, second])
		expect(client.requestsOf("list-banks")).toEqual([]);
});
