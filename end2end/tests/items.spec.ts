/**
 * The items that Connect reports. The browser keeps each until the widget API has it, also if the server ends without a
 * shutdown, and what it repeats in the background undoes nothing. For a lost network: `faults.spec.ts`; for failed calls:
 * `src/steps/connect/tests/items.rs`.
 */
import type { Page } from "@playwright/test";
import { ITEM_ID } from "../support/connect-stand-in.ts";
import { test as base, expect, linkOf } from "../support/fixtures.ts";
import { mainHeading, retryButton, successTitle } from "../support/locators.ts";
import { installClock, waitForHydration } from "../support/page.ts";
import { newKey, type Program, startProduction } from "../support/servers.ts";
import {
	arriveAtConnect,
	arriveAtUpdate,
	cancelEverything,
	giveConsent,
	keepItem,
	keptItems,
	type Progress,
	sendBankForm,
	startSession,
	waitForConnect,
} from "../support/steps.ts";
import {
	type CallName,
	errorResponse,
	type SessionData,
} from "../support/widget-api.ts";

type Server = {
	url: string;
	/** Ends the process as `kill -9` does, and starts another one with the same settings. */
	kill: () => Promise<void>;
	restart: () => Promise<void>;
};

const test = base.extend<{ server: Server }>({
	server: async ({ upstream }, use) => {
		const SESSION_KEYS = newKey();
		const start = (LISTEN_ADDR: string): Promise<Program> =>
			startProduction(upstream.url, { SESSION_KEYS, LISTEN_ADDR });
		let program = await start("127.0.0.1:0");
		const { url } = program;
		await use({
			url,
			kill: () => program.kill(),
			restart: async () => {
				program = await start(new URL(url).host);
			},
		});
		await program.stop();
	},
	baseURL: async ({ server }, use) => use(server.url),
});

const UPDATE: Partial<SessionData> = {
	widget_type: "update",
	link_id: "link-7",
};

type Cut = {
	when: string;
	link?: Partial<SessionData>;
	scenario?: "pending";
	/** The call that has no response when the server ends. Without it the server ends before Connect reports the item. */
	held?: CallName;
};

const CUTS: Cut[] = [
	{ when: "before it gets the item" },
	{ when: "while it logs the item", held: "log" },
	{ when: "before it gets an updated item", link: UPDATE },
	{
		when: "while it updates the link",
		link: UPDATE,
		held: "update-link-account",
	},
	{
		when: "between the update of the link and its log",
		link: UPDATE,
		held: "log",
	},
	{ when: "before it gets a pending approval", scenario: "pending" },
	{
		when: "while it logs a pending approval",
		scenario: "pending",
		held: "log",
	},
];

for (const { when, link = {}, scenario = "success", held } of CUTS) {
	test.describe(`the server is killed ${when}`, () => {
		for (const tab of ["the open tab", "the reopened link"] as const) {
			test(`${tab} submits the item`, async ({
				page,
				context,
				server,
				newClient,
				standIn,
				browserErrors,
			}) => {
				browserErrors.expect(
					/request failed: .*(finish_connect|submit_item)/,
					/console error: .*ERR_/,
				);
				const client = newClient(link);
				client.scenario = scenario;
				const log =
					scenario === "pending"
						? "pluggy-widget-error"
						: "pluggy-widget-success";
				const logs = () => client.log.filter(({ type }) => type === log);
				await installClock(page);
				const arrive = link === UPDATE ? arriveAtUpdate : arriveAtConnect;
				const frame = await arrive(page, client);

				await test.step("Kill the server when Connect reports the item", async () => {
					const failed = Promise.all([
						page.waitForEvent("requestfailed"),
						page.waitForEvent("console", (message) =>
							/ERR_/.test(message.text()),
						),
					]);
					if (held === undefined) {
						await server.kill();
						await frame.getByRole("button").click();
					} else {
						const release = client.hold(held);
						await frame.getByRole("button").click();
						await expect
							.poll(() => (held === "log" ? logs() : client.requestsOf(held)))
							.toHaveLength(1);
						await server.kill();
						release();
					}
					await failed;
					expect(await keptItems(page)).toHaveLength(1);
				});

				const before = logs().length;
				await test.step(`Restart the server, and submit by ${tab}`, async () => {
					await server.restart();
					if (tab === "the open tab") {
						await page.clock.fastForward("00:31");
					} else {
						await page.close();
						page = await context.newPage();
						await page.goto(linkOf(client));
					}
				});

				await test.step("The widget API has the item, without another login", async () => {
					await expect.poll(() => logs().length).toBe(before + 1);
					// The page may be navigating.
					await expect(async () => {
						expect(await keptItems(page)).toEqual([]);
					}).toPass();
					for (const { data } of logs())
						expect(data).toMatchObject({ item: { id: ITEM_ID } });
					if (link === UPDATE)
						expect(
							client.requestsOf("update-link-account").at(-1)?.body,
						).toEqual({ link: ITEM_ID });
					if (scenario === "success")
						await expect
							.poll(() => client.requestsOf("success"))
							.toHaveLength(1);
					if (scenario === "success")
						await expect(successTitle(page)).toBeVisible();
					expect(standIn.openings).toBe(1);
				});
			});
		}
	});
}

test("the page may be closed only once the widget API has the item and the success", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 500 .*confirm_success/);
	const client = newClient();
	const frame = await arriveAtConnect(page, client);
	client.respond("log", errorResponse(503, "Busy"));
	client.respond("success", "drop", undefined);
	await frame.getByRole("button").click();
	const again = retryButton(page);
	const mayClose = page.getByText(/pode fechar/).filter({ visible: true });
	await expect(again).toBeVisible();
	expect(await keptItems(page)).toHaveLength(1);
	expect(client.requestsOf("success"), "on entry").toHaveLength(1);
	const conclude = page.getByRole("button", { name: "Concluir integração" });
	await expect(conclude).toBeHidden();
	await expect(mayClose).toHaveCount(0);

	await again.click();
	await expect.poll(() => client.requestsOf("success")).toHaveLength(2);
	await expect(again).toHaveAttribute("aria-busy", "false");
	await expect(page.getByText(/ainda não conseguimos avisar/)).toBeVisible();
	await expect(mayClose).toHaveCount(0);

	client.respond("log", undefined);
	await again.click();
	await expect.poll(() => keptItems(page)).toEqual([]);
	await expect(page.getByText(/^Em até 5 minutos/)).toBeVisible();
	await conclude.click();
	await expect(
		page.getByText("Tudo certo. Você já pode fechar esta página."),
	).toBeVisible();
	expect(client.requestsOf("success")).toHaveLength(2);
});

test("the success screen and the accounts show that an item was refused", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	const frame = await arriveAtConnect(page, client);
	client.respond("log", errorResponse(401, "Expired token"));
	await frame.getByRole("button").click();
	const refused = page.getByText(/o sistema do escritório não a aceitou/);
	await expect(refused).toBeVisible();
	await expect(mainHeading(page)).toHaveText(
		"O escritório não recebeu a conta",
	);
	// The page's own picture shows a success.
	await expect(page.locator("aside img")).toHaveCSS("content", /default\.svg/);
	await expect.poll(() => client.requestsOf("success")).toHaveLength(1);
	await expect(page.getByText(/pode fechar/)).toHaveCount(0);
	await expect(page.getByRole("button")).toHaveCount(0);
	await expect(page.locator("[aria-live]", { hasText: "não a" })).toHaveCount(
		1,
	);
	await page.goto("/integration/accounts");
	await expect(refused).toBeVisible();
	await page.goto("/integration/success");
	await expect(refused).toBeVisible();
	await expect(page.getByText(/poderá consultar/)).toHaveCount(0);
	expect(client.requestsOf("log").length, "never again").toBe(3);
});

/** What a person does while the browser submits an item in the background, and what must be there afterwards. */
const MEANWHILE: Record<
	string,
	{
		session: Progress;
		begin: string;
		act: (page: Page) => Promise<unknown>;
		remains: (page: Page) => Promise<unknown>;
	}
> = {
	cancels: {
		session: "linked",
		begin: "/cancel/confirm",
		act: cancelEverything,
		remains: async (page) => {
			await page.goto("/cancel/success");
			await expect(page).toHaveURL("/cancel/success");
		},
	},
	consents: {
		session: "entered",
		begin: "/integration/widget",
		act: giveConsent,
		remains: async (page) => {
			await page.goto("/integration/widget");
			await expect(page).toHaveURL("/integration/select-bank");
		},
	},
	"saves the bank form": {
		session: "consented",
		begin: "/integration/select-bank",
		act: async (page) => {
			await sendBankForm(page, "Itaú");
			await waitForConnect(page);
		},
		remains: async (page) => {
			await page.goto("/integration/widget");
			await waitForConnect(page);
		},
	},
};

for (const [does, { session, begin, act, remains }] of Object.entries(
	MEANWHILE,
)) {
	for (const tabs of ["one tab", "two tabs"] as const) {
		test(`a submission that ends late undoes nothing when the client ${does}, in ${tabs}`, async ({
			page,
			context,
			newClient,
			standIn,
		}) => {
			const client = newClient();
			await startSession(page, client, session);
			await page.goto(begin);
			const submitted = client.requestsOf("log").length;
			const release = client.hold("log");
			await keepItem(page, "an-item-of-before");
			await page.reload();
			await waitForHydration(page);
			await expect
				.poll(() => client.requestsOf("log").length)
				.toBe(submitted + 1);
			const other = tabs === "two tabs" ? await context.newPage() : page;
			if (other !== page) {
				await other.goto(begin);
			}
			await act(other);
			const answered =
				other === page ? undefined : page.waitForResponse(/submit_item/);
			release();
			await answered;
			await expect.poll(() => keptItems(other)).toEqual([]);
			await remains(other);
			expect(standIn).toBeDefined();
		});
	}
}

test("another bank's Connect opens while the first one's item waits", async ({
	page,
	newClient,
	standIn,
}) => {
	const client = newClient();
	await startSession(page, client, "bank chosen");
	client.respond("log", errorResponse(503, "Busy"));
	await page.goto("/integration/accounts");
	await keepItem(page, "an-item-of-before");
	await page.goto("/integration/widget");
	const frame = await waitForConnect(page);
	expect(standIn.openings).toBe(1);
	expect(await keptItems(page)).toHaveLength(1);
	client.respond("log", undefined);
	await frame.getByRole("button").click();
	await expect(successTitle(page)).toBeVisible();
	await expect.poll(() => keptItems(page)).toEqual([]);
	const items = client.log.map(({ data }) => JSON.stringify(data));
	for (const id of ["an-item-of-before", ITEM_ID])
		expect(items.join()).toContain(id);
});

test("a new link of the same client delivers the item of an expired one", async ({
	page,
	newClient,
	upstream,
}) => {
	const first = newClient();
	await startSession(page, first, "consented");
	await page.goto("/integration/accounts");
	first.respond("log", errorResponse(503, "Busy"));
	await keepItem(page, "an-item-of-before");
	const next = upstream.client({ ...first.data });
	await page.goto(linkOf(next));
	await expect.poll(() => next.log).toHaveLength(1);
	expect(next.log[0]?.data).toEqual({ item: { id: "an-item-of-before" } });
	await expect.poll(() => keptItems(page)).toEqual([]);
	await expect(page, "nothing else happens").toHaveURL("/integration/widget");
});

/** Ways in which a browser stores nothing. */
const STORAGES: Record<string, () => void> = {
	"has no storage": () =>
		Object.defineProperty(window, "localStorage", { value: null }),
	"denies storage": () =>
		Object.defineProperty(window, "localStorage", {
			get: () => {
				throw new DOMException("denied", "SecurityError");
			},
		}),
	"has a full storage": () => {
		Storage.prototype.setItem = () => {
			throw new DOMException("full", "QuotaExceededError");
		};
	},
};

for (const [that, breakStorage] of Object.entries(STORAGES)) {
	test(`in a browser that ${that}, a success stays on Connect's page until the widget API has it`, async ({
		page,
		newClient,
	}) => {
		await page.addInitScript(breakStorage);
		const client = newClient();
		const frame = await arriveAtConnect(page, client);
		client.respond("log", errorResponse(503, "Busy"));
		await frame.getByRole("button").click();
		const again = retryButton(page);
		await expect(again).toBeVisible();
		await expect(page).toHaveURL("/integration/widget");
		await expect(page.getByText(/pode fechar/)).toHaveCount(0);
		client.respond("log", undefined);
		await again.click();
		await expect(successTitle(page)).toBeVisible();
		expect(
			client.log.filter(({ status }) => status === "SUCCESS").at(-1),
		).toEqual({
			type: "pluggy-widget-success",
			status: "SUCCESS",
			data: { item: { id: ITEM_ID } },
		});
	});

	test(`in a browser that ${that}, a pending approval is logged as one`, async ({
		page,
		newClient,
	}) => {
		await page.addInitScript(breakStorage);
		const client = newClient();
		client.scenario = "pending";
		const frame = await arriveAtConnect(page, client);
		await frame.getByRole("button").click();
		await expect(
			page.getByText("Aguardando a aprovação de outro responsável"),
		).toBeVisible();
		await expect
			.poll(() => client.log.map(({ type }) => type))
			.toContain("pluggy-widget-error");
		expect(client.log.map(({ type }) => type)).not.toContain(
			"pluggy-widget-success",
		);
	});
}
