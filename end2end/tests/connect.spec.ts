/** Pluggy's real SDK on `/integration/widget`, against a stand-in of its page. */
import type { Page } from "@playwright/test";
import { ITEM_ID, PENDING } from "../support/connect-stand-in.ts";
import { expect, test } from "../support/fixtures.ts";
import {
	connectDialog,
	connectProgress,
	failureToast,
	mainHeading,
	retryButton,
	successTitle,
} from "../support/locators.ts";
import { type Box, boxOf, installClock, stopClock } from "../support/page.ts";
import {
	arriveAtConnect,
	arriveAtUpdate,
	arriveBeforeConnect,
	waitForConnect,
} from "../support/steps.ts";
import { type Client, CPF, type SessionData } from "../support/widget-api.ts";

type NewClient = (data?: Partial<SessionData>) => Client;

/** The SDK's error if its window is closed while it opens. A window that has not begun to open has none. */
const CLOSED_WHILE_OPENING = /Failed to render <PluggyConnect \/>/;

/** The log calls of the widget. */
const widgetLog = (client: Client) =>
	client.log.filter(({ type }) => String(type).startsWith("pluggy-widget"));

test("the widget is dark in the dark colour scheme, and screen readers list one frame", async ({
	page,
	newClient,
}) => {
	await page.emulateMedia({ colorScheme: "dark" });
	const frame = await arriveAtConnect(page, newClient());
	await expect(frame.getByTestId("props")).toContainText('"theme":"dark"');
	await expect(
		page.locator('iframe[title="Pluggy"]:not([aria-hidden])'),
	).toHaveCount(1);
});

test("errors of the widget are reported without documents and tokens", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	client.scenario = "secret-success";
	const frame = await arriveAtConnect(page, client);
	await frame.getByRole("button").click();
	const data = { message: expect.stringContaining("login of"), item: null };
	await expect
		.poll(() => widgetLog(client))
		.toEqual([{ type: "pluggy-widget-error", status: "ERROR", data }]);
	await expect(page.getByRole("alert")).toHaveCount(0);
	for (const secret of [CPF, client.connectToken])
		expect(JSON.stringify(client.log)).not.toContain(secret);
	await frame.getByRole("button").click();
	await expect(successTitle(page)).toBeVisible();
});

test("a pending approval is shown as a notice that can be dismissed", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	client.scenario = "pending-close";
	const frame = await arriveAtConnect(page, client);
	await frame.getByRole("button").click();
	await expect(
		page
			.getByRole("dialog")
			.getByText("Aguardando a aprovação de outro responsável"),
	).toBeVisible();
	await expect(page.getByRole("alert")).toHaveCount(0);
	// At 400 % zoom everything is on the screen or can be scrolled to.
	await page.setViewportSize({ width: 320, height: 256 });
	const title = page.getByText("Aguardando a aprovação de outro responsável");
	await expect(title).toBeInViewport({ ratio: 1 });
	await page.getByRole("button", { name: "Ocultar este aviso" }).click();
	await expect(title).toBeHidden();
	await expect
		.poll(() => widgetLog(client))
		.toEqual([
			{
				type: "pluggy-widget-error",
				status: "ERROR",
				data: { message: PENDING, item: { id: ITEM_ID } },
			},
		]);
	await frame.getByRole("button").click();
	await expect(page).toHaveURL("/integration/accounts");
	await expect(
		page.getByText(/^Você autorizou Itaú às \d\dh\d\d\.$/),
	).toBeVisible();
	await expect(
		page.getByText("Falta o outro responsável aprovar no aplicativo do banco."),
	).toBeVisible();
});

for (const [where, close] of [
	// Keys pressed inside the frame are handled by Pluggy.
	["on the dialog", (page: Page) => page.keyboard.press("Escape")],
	[
		"on the close button",
		(page: Page) =>
			page
				.getByRole("dialog")
				.getByRole("button", { name: "Fechar" })
				.press("Enter"),
	],
] as const) {
	test(`a key ${where} closes Connect and focuses the accounts’ heading`, {
		tag: "@desktop",
	}, async ({ page, newClient }) => {
		await arriveAtConnect(page, newClient());
		const dialog = connectDialog(page);
		await expect(
			dialog.getByRole("heading", { name: "Conexão com o banco" }),
		).toBeFocused();
		await close(page);
		await expect(page).toHaveURL("/integration/accounts");
		await expect(mainHeading(page)).toBeFocused();
	});
}

test("on a phone the product’s close button is hidden once the bank’s window is open", async ({
	page,
	newClient,
	standIn,
	browserErrors,
}) => {
	browserErrors.allow(CLOSED_WHILE_OPENING);
	const close = page
		.getByRole("dialog")
		.getByRole("button", { name: "Fechar", includeHidden: true });
	await arriveAtConnect(page, newClient());
	await expect(close).toBeHidden();
	standIn.outage = "silent";
	await arriveBeforeConnect(page, newClient());
	await expect(page.getByRole("dialog")).toBeVisible();
	await close.click();
	await expect(page).toHaveURL("/integration/accounts");
});

test("the spinner stays in its place from the opening to the confirmation", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	const opened = client.hold("connect-token");
	await page.route("/api/finish_connect", () => {});
	await arriveBeforeConnect(page, client);
	const spinner = page.locator(".spinner");
	await expect(connectProgress(page)).toHaveText(/^Abrindo a conexão com /);
	const before = await spinner.boundingBox();
	opened();
	const frame = await waitForConnect(page);
	await frame.getByRole("button").click();
	await expect(connectProgress(page)).toHaveText(
		"Confirmando a conexão da sua conta…",
	);
	expect(await spinner.boundingBox()).toEqual(before);
});

const LONG_FIRM =
	"Horizonte & Irmãos Assessoria Contábil, Tributária e Empresarial Sociedade Simples";

for (const [what, words, arrive] of [
	[
		"a new link",
		"Esta janela é da Pluggy, que conecta o seu banco.",
		(page: Page, newClient: NewClient) => arriveAtConnect(page, newClient()),
	],
	[
		"an update",
		`${LONG_FIRM} pediu para renovar a conexão com o seu banco.`,
		(page: Page, newClient: NewClient) =>
			arriveAtUpdate(
				page,
				newClient({
					widget_type: "update",
					link_id: "an-item",
					customer_name: LONG_FIRM,
				}),
			),
	],
] as const) {
	test(`the reason for ${what} is beside the open window, where there is room`, async ({
		page,
		newClient,
	}) => {
		await arrive(page, newClient);
		const dialog = page.getByRole("dialog");
		const sentence = dialog.locator(".connect__reason");
		const covers = [
			dialog.locator(".connect__frame"),
			dialog.getByRole("button", { name: "Fechar" }),
		];
		await expect(sentence).toBeHidden();
		for (const [width, height] of [
			[1440, 900],
			[1154, 700],
			[850, 600],
			[768, 1000],
			[560, 1024],
		] as const) {
			const at = `${width}×${height}`;
			await page.setViewportSize({ width, height });
			await expect(sentence, at).toHaveText(new RegExp(`^${words}`));
			await expect(sentence, at).toBeInViewport({ ratio: 1 });
			const box = await boxOf(sentence);
			for (const cover of covers)
				expect(overlap(box, await boxOf(cover)), at).toBe(false);
		}
		await page.setViewportSize({ width: 768, height: 700 });
		await expect(sentence).toBeHidden();
	});
}

function overlap(one: Box, other: Box): boolean {
	return (
		one.x < other.right &&
		other.x < one.right &&
		one.y < other.bottom &&
		other.y < one.bottom
	);
}

test("a toast over the open bank’s window can be closed", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 500 .*open_connect/);
	await installClock(page);
	const client = newClient().respond("connect-token", "drop", undefined);
	await arriveBeforeConnect(page, client);
	await expect(failureToast(page)).toBeVisible();
	await stopClock(page);
	await retryButton(page).click();
	const toast = page.getByRole("dialog").getByRole("region", { name: "Aviso" });
	await toast.getByRole("button", { name: "Fechar aviso" }).click();
	await expect(toast, "no landmark with nothing in it").toHaveCount(0);
	await expect(page.getByRole("dialog")).toBeVisible();
});

test("Connect that does not open shows a card, is logged, and can be retried", async ({
	page,
	newClient,
	standIn,
	browserErrors,
}) => {
	browserErrors.expect(
		/request failed: https:\/\/connect\.pluggy\.ai\/.*ERR_BLOCKED_BY_CLIENT/,
	);
	browserErrors.allow(CLOSED_WHILE_OPENING);
	const client = newClient();
	standIn.outage = "abort";
	await installClock(page);
	await arriveBeforeConnect(page, client);
	await expect.poll(() => standIn.openings).toBe(1);
	await expect(page.getByRole("dialog")).toBeVisible();
	const card = page.getByRole("heading", {
		name: "Não foi possível abrir a conexão com o banco",
	});
	await expect(card).toHaveCount(0);
	await page.clock.fastForward(20_000);
	await expect(card).toBeFocused();
	await expect(page.getByRole("link", { name: /contas/i })).toBeVisible();
	await expect
		.poll(() => widgetLog(client))
		.toEqual([
			{
				type: "pluggy-widget-error",
				status: "ERROR",
				data: { message: expect.any(String), item: null },
			},
		]);
	standIn.outage = undefined;
	await retryButton(page).click();
	await waitForConnect(page);
	expect(client.requestsOf("connect-token")).toHaveLength(2);
});
