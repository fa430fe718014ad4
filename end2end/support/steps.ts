/** What a client does on each screen, and shortcuts to a later screen. Each is a step in the report. */
import { expect, type FrameLocator, type Page, test } from "@playwright/test";
import { CONSENT_VERSION } from "../../islands-react/src/generated/words.ts";
import { ConnectStandIn } from "./connect-stand-in.ts";
import { linkOf } from "./fixtures.ts";
import {
	bankField,
	cancelAllButton,
	connectFrame,
	consentBox,
	consentButton,
	cpfField,
	nameField,
	nextButton,
} from "./locators.ts";
import { waitForHydration } from "./page.ts";
import { ADMIN, type Client, CPF } from "./widget-api.ts";

// What a client does.

/** Gives the consent by React. `consent.spec.ts` also gives it before hydration. */
export function giveConsent(page: Page): Promise<void> {
	return test.step("Give the consent", async () => {
		await waitForHydration(page);
		await consentBox(page).check();
		await consentButton(page).click();
		await expect(page).toHaveURL("/integration/accounts");
	});
}

export async function chooseBank(page: Page, name: string): Promise<void> {
	await bankField(page).fill(name);
	await page.getByRole("option", { name }).click();
}

export async function fillAdministrator(
	page: Page,
	name = ADMIN,
	cpf = CPF,
): Promise<void> {
	await nameField(page).fill(name);
	await cpfField(page).fill(cpf);
}

/** Fills the bank form and sends it. */
export function sendBankForm(page: Page, bank: string): Promise<void> {
	return test.step("Send the bank form", async () => {
		await chooseBank(page, bank);
		await fillAdministrator(page);
		await nextButton(page).click();
	});
}

/** Cancels all integrations. A deployed product may take longer, because it waits for Pluggy. */
export function cancelEverything(
	page: Page,
	{ timeout = 10_000 } = {},
): Promise<void> {
	return test.step("Cancel all integrations", async () => {
		await waitForHydration(page);
		await cancelAllButton(page).click();
		await expect(page).toHaveURL("/cancel/success", { timeout });
	});
}

// What a client waits for.

export async function waitForBanks(page: Page): Promise<void> {
	await expect(bankField(page)).not.toHaveAttribute("aria-busy");
}

/** Waits until Connect's frame is usable. */
export async function waitForConnect(page: Page): Promise<FrameLocator> {
	const frame = connectFrame(page);
	await expect(frame.getByRole("button", { name: "Continuar" })).toBeVisible();
	return frame;
}

// Shortcuts.

/** How far a session is: link opened, consent given, bank form saved, Connect opened, or account linked. */
const PROGRESS = [
	"entered",
	"consented",
	"bank chosen",
	"connect opened",
	"linked",
] as const;

export type Progress = (typeof PROGRESS)[number];

/** Gives the page's browser a session of this client, by the program's own actions. It replaces any earlier session. */
export function startSession(
	page: Page,
	client: Client,
	progress: Progress,
): Promise<void> {
	return test.step(`Start a session: ${progress}`, async () => {
		let cookie = "";
		let session = "";
		const headers = () => ({ cookie, "sec-fetch-site": "same-origin" });
		const act = async (action: string, input: object) => {
			const response = await page.request.post(`/api/${action}`, {
				headers: headers(),
				data: { input: { session, ...input } },
			});
			expect(response.status(), action).toBe(200);
			const changed = response.headers()["set-cookie"]?.split(";")[0];
			cookie = changed ?? cookie;
			return response.url();
		};
		const url = await act("validate_token", {
			query: `?token=${client.token}`,
		});
		const consent = await page.request.get("/integration/widget", {
			headers: headers(),
		});
		const html = await consent.text();
		session = /"session":"(\w+)"/.exec(html)?.[1] ?? "";

		const done = PROGRESS.indexOf(progress);
		if (done >= PROGRESS.indexOf("consented"))
			await act("accept_consent", { version: CONSENT_VERSION });
		if (done >= PROGRESS.indexOf("bank chosen"))
			await act("save_bank_form", {
				bank: "341",
				bankName: "Itaú",
				name: ADMIN,
				cpf: CPF,
			});
		if (done >= PROGRESS.indexOf("connect opened"))
			await act("open_connect", {});
		if (done >= PROGRESS.indexOf("linked"))
			await act("finish_connect", { itemId: "an-item", bank: "Itaú" });

		const [name = "", ...value] = cookie.split("=");
		// Browsers accept a `Secure` cookie from https only, but also send it to loopback over http.
		const origin = new URL(url).origin.replace("http:", "https:");
		await page.context().addCookies([
			{
				name,
				value: value.join("="),
				url: origin,
				secure: true,
				httpOnly: true,
				sameSite: "Lax",
			},
		]);
	});
}

/** Opens the accounts with a prepared session. */
export async function arriveAtAccounts(
	page: Page,
	client: Client,
): Promise<void> {
	await startSession(page, client, "consented");
	await page.goto("/integration/accounts");
}

/** Opens the bank form with a prepared session, and waits for the list of banks. */
export async function arriveAtBankForm(
	page: Page,
	client: Client,
): Promise<void> {
	await startSession(page, client, "consented");
	await page.goto("/integration/select-bank");
	await waitForBanks(page);
}

/** Opens Connect's page with a prepared session, whether or not Connect works. */
export async function arriveBeforeConnect(
	page: Page,
	client: Client,
): Promise<void> {
	await ConnectStandIn.install(page.context());
	await startSession(page, client, "bank chosen");
	await page.goto("/integration/widget");
}

/** Opens Connect with a prepared session, and waits for its frame. */
export async function arriveAtConnect(
	page: Page,
	client: Client,
): Promise<FrameLocator> {
	await arriveBeforeConnect(page, client);
	return waitForConnect(page);
}

/** Opens Connect by a link for an update, and waits for its frame. */
export async function arriveAtUpdate(
	page: Page,
	client: Client,
): Promise<FrameLocator> {
	await ConnectStandIn.install(page.context());
	await page.goto(linkOf(client));
	return waitForConnect(page);
}

// What the browser keeps.

/** Keeps an item of the page's client that the widget API does not have yet, as if an earlier page had reported it. */
export async function keepItem(page: Page, itemId: string): Promise<void> {
	await page.evaluate((itemId) => {
		const context = document.getElementById("vincula-context")?.textContent;
		const { session } = JSON.parse(context ?? "");
		const item = {
			itemId,
			kind: "success",
			bank: "Itaú",
			waits: false,
			renews: "",
			at: Date.now(),
			state: "kept",
		};
		localStorage.setItem(
			`vincula-items:${session.slice(0, 16)}`,
			JSON.stringify([item]),
		);
	}, itemId);
}

/** The keys of the items that the browser keeps. */
export function keptItems(page: Page): Promise<string[]> {
	return page.evaluate(() =>
		Object.keys(localStorage).filter((key) => key.startsWith("vincula-items:")),
	);
}
