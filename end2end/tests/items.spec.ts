/**
 * An item that Connect has reported, when the server ends without a shutdown. The browser keeps it until the widget API
 * has it. For a lost network: `faults.spec.ts`; for failed calls: `src/tests/connect_success.rs`.
 */
import { ITEM_ID } from "../support/connect-stand-in.ts";
import { test as base, expect, linkOf } from "../support/fixtures.ts";
import { retryButton, successTitle } from "../support/locators.ts";
import { installClock } from "../support/page.ts";
import { newKey, type Program, startProduction } from "../support/servers.ts";
import {
	arriveAtConnect,
	arriveAtUpdate,
	keptItems,
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
					/request failed: .*(finish_connect|report_connect_error)/,
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
					if (scenario === "success" && tab === "the open tab")
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
	const mayClose = page.getByText(/pode fechar/);
	await expect(again).toBeVisible();
	expect(await keptItems(page)).toHaveLength(1);
	expect(client.requestsOf("success"), "after the item").toEqual([]);
	const conclude = page.getByRole("button", { name: "Concluir integração" });
	await expect(conclude).toBeHidden();
	await expect(mayClose.filter({ visible: true })).toHaveCount(0);

	client.respond("log", undefined);
	await again.click();
	await expect.poll(() => keptItems(page)).toEqual([]);
	await expect.poll(() => client.requestsOf("success")).toHaveLength(1);
	await expect(again).toHaveAttribute("aria-busy", "false");
	await expect(mayClose.filter({ visible: true })).toHaveCount(0);

	await again.click();
	await expect(page.getByText(/^Em até 5 minutos/)).toBeVisible();
	await conclude.click();
	await expect(
		page.getByText("Tudo certo. Você já pode fechar esta página."),
	).toBeVisible();
});
