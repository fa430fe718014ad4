/** Steps of the journey, and shortcuts for tests that start at a later step. */
import { expect, type FrameLocator, type Page } from "@playwright/test";
import { ConnectStandIn } from "./connect-stand-in.ts";
import { linkOf } from "./fixtures.ts";
import { ADMIN, type Client, CPF } from "./widget-api.ts";

export const CONSENT = "Autorizar integrações bancárias";

/** How far a session is: link opened, consent given, bank form saved, or account linked. */
const PROGRESS = ["entered", "consented", "bank chosen", "linked"] as const;

/**
 * Gives the page's browser a session of this client, which replaces any earlier one. For tests that start after the
 * link. It is created by the program's actions.
 */
export async function startSession(
	page: Page,
	client: Client,
	done: (typeof PROGRESS)[number],
): Promise<void> {
	let [url, cookie, session] = ["", "", ""];
	const headers = () => ({ cookie, "sec-fetch-site": "same-origin" });
	const act = async (action: string, input: object) => {
		const response = await page.request.post(`/api/${action}`, {
			headers: headers(),
			data: { input: { session, ...input } },
		});
		expect(response.status(), action).toBe(200);
		url = response.url();
		cookie =
			/^[^;]+/.exec(response.headers()["set-cookie"] ?? "")?.[0] ?? cookie;
	};
	await act("validate_token", { query: `?token=${client.token}` });
	const consent = await (
		await page.request.get("/integration/widget", { headers: headers() })
	).text();
	session = /"session":"(\w+)"/.exec(consent)?.[1] ?? "";
	const text = /name="text" value="([\w-]+)"/.exec(consent)?.[1];
	const progress = PROGRESS.indexOf(done);
	if (progress >= 1) await act("accept_consent", { text });
	if (progress >= 2)
		await act("save_bank_form", {
			bank: "341",
			bankName: "Itaú",
			name: ADMIN,
			cpf: CPF,
		});
	if (progress >= 3) {
		await act("open_connect", {});
		await act("finish_connect", { itemId: "an-item" });
	}
	const [name = "", value = ""] = cookie.split("=", 2);
	// Browsers accept a `Secure` cookie from https only, but also send it to loopback over http.
	const secure = {
		url: new URL(url).origin.replace("http:", "https:"),
		secure: true,
	};
	await page
		.context()
		.addCookies([{ name, value, ...secure, httpOnly: true, sameSite: "Lax" }]);
}

/** Keeps an item of Connect for the page's session, as if an earlier page had reported it. */
export async function keepItem(page: Page, itemId: string): Promise<void> {
	await page.evaluate((itemId) => {
		const session = document.getElementById("other-tab")?.dataset.session;
		const item = { itemId, kind: "success", at: Date.now() };
		localStorage.setItem(`vincula-items:${session}`, JSON.stringify([item]));
	}, itemId);
}

/** The keys of the items that the browser keeps. */
export function keptItems(page: Page): Promise<string[]> {
	return page.evaluate(() =>
		Object.keys(localStorage).filter((key) => key.startsWith("vincula-items:")),
	);
}

/** Opens the accounts screen with a prepared session. */
export async function arriveAtAccounts(
	page: Page,
	client: Client,
): Promise<void> {
	await startSession(page, client, "consented");
	await page.goto("/integration/accounts");
}

/** Gives the consent on its screen. */
export async function giveConsent(page: Page): Promise<void> {
	await waitForHydration(page);
	await page.getByRole("checkbox").check();
	await page.getByRole("button", { name: CONSENT }).click();
	await expect(page).toHaveURL("/integration/accounts");
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

export async function waitForBanks(page: Page): Promise<void> {
	await expect(page.getByRole("combobox")).not.toHaveAttribute("aria-busy");
}

export async function chooseBank(page: Page, name: string): Promise<void> {
	await page.getByRole("combobox").fill(name);
	await page.getByRole("option", { name }).click();
}

export async function fillAdministrator(
	page: Page,
	name = ADMIN,
	cpf = CPF,
): Promise<void> {
	await page.getByLabel("Nome completo do administrador").fill(name);
	await page.getByLabel("CPF do administrador").fill(cpf);
}

/** Opens Connect's page with a prepared session, whether or not Connect works. */
export async function arriveBeforeConnect(
	page: Page,
	client: Client,
): Promise<void> {
	await ConnectStandIn.at(page.context());
	await startSession(page, client, "bank chosen");
	await page.goto("/integration/widget");
}

/** Opens Connect with a prepared session, and waits for its frame. */
export async function arriveAtConnect(
	page: Page,
	client: Client,
): Promise<FrameLocator> {
	await arriveBeforeConnect(page, client);
	return connectFrame(page);
}

/** Goes to Connect from the link through every page, which leaves the real history entries. */
export async function goToConnect(
	page: Page,
	client: Client,
): Promise<FrameLocator> {
	await ConnectStandIn.at(page.context());
	await page.goto(linkOf(client));
	await giveConsent(page);
	await page.getByRole("link", { name: "Integrar novo banco" }).click();
	await chooseBank(page, "Itaú");
	await fillAdministrator(page);
	await page.getByRole("button", { name: "Avançar" }).click();
	return connectFrame(page);
}

/** Opens Connect by a link for an update, and waits for its frame. */
export async function arriveAtUpdate(
	page: Page,
	client: Client,
): Promise<FrameLocator> {
	await ConnectStandIn.at(page.context());
	await page.goto(linkOf(client));
	return connectFrame(page);
}

export function embeddedConnect(page: Page): FrameLocator {
	return page.frameLocator(
		'iframe[title="Pluggy"][name^="__zoid__pluggy_connect_widget__"]',
	);
}

/** Waits until Connect's frame is usable. */
export async function connectFrame(page: Page): Promise<FrameLocator> {
	const frame = embeddedConnect(page);
	await expect(frame.getByRole("button", { name: "Continuar" })).toBeVisible();
	return frame;
}

/** Waits until the islands of a page are hydrated; skips the entry page, which navigates on. */
export async function waitForHydration(page: Page): Promise<void> {
	await expect(page.locator('body:not([data-page="entry"])')).toHaveAttribute(
		"data-islands",
		"alive",
	);
}
