/** Fixtures of every test. A test with this `test` fails on any unexpected error in the browser or the calls. */
import { test as base, expect } from "@playwright/test";
import { BrowserErrors } from "./browser-errors.ts";
import { ConnectStandIn } from "./connect-stand-in.ts";
import { DEPLOYED, isOnSandbox, LINK } from "./deployed.ts";
import { waitInGoto } from "./page.ts";
import {
	type Program,
	programs,
	startProduction,
	startSandbox,
} from "./servers.ts";
import {
	type Client,
	type SessionData,
	startWidgetApi,
	type WidgetApi,
} from "./widget-api.ts";

export { expect };

export type Settings = {
	/** The instance that `page` opens: with the test widget API, or with the embedded sandbox. */
	mode: "production" | "sandbox";
	/** Installs Connect's stand-in from the start. Off by default: intercepting requests disables the cache. */
	withConnect: boolean;
};

type Fixtures = {
	browserErrors: BrowserErrors;
	/** The link of a new client, also on a deployed product. */
	link: string;
	/** Makes clients of the firm whose links work on the production instance. */
	newClient: (data?: Partial<SessionData>) => Client;
	/** The stand-in for https://connect.pluggy.ai, which tests can make fail. */
	standIn: ConnectStandIn;
	/** Keeps what a failed test leaves besides the page. */
	records: undefined;
};

type Servers = { upstream: WidgetApi; production: Program; sandbox: Program };

export const test = base.extend<Settings & Fixtures, Servers>({
	mode: ["production", { option: true }],
	withConnect: [false, { option: true }],

	upstream: [
		async ({}, use) => {
			const upstream = await startWidgetApi();
			await use(upstream);
			upstream.stop();
		},
		{ scope: "worker" },
	],

	production: [
		async ({ upstream }, use) => {
			const program = await startProduction(upstream.url);
			await use(program);
			await program.stop();
		},
		{ scope: "worker" },
	],

	sandbox: [
		async ({}, use) => {
			const program = await startSandbox();
			await use(program);
			await program.stop();
		},
		{ scope: "worker" },
	],

	baseURL:
		DEPLOYED === undefined
			? async ({ mode, production, sandbox }, use) => {
					await use(mode === "sandbox" ? sandbox.url : production.url);
				}
			: async ({ mode }, use, testInfo) => {
					const fits = mode !== "sandbox" || (await isOnSandbox());
					testInfo.skip(!fits, "needs the sandbox");
					await use(DEPLOYED);
				},

	link:
		DEPLOYED === undefined
			? async ({ newClient }, use) => use(linkOf(newClient()))
			: async ({}, use, testInfo) => {
					const link =
						LINK ?? ((await isOnSandbox()) ? demoLink("demo-novo") : undefined);
					testInfo.skip(link === undefined, "needs a link: LINK=https://…");
					await use(link ?? "");
				},

	records: [
		async ({ upstream }, use, testInfo) => {
			const before = new Map(
				programs.map((program) => [program, program.output().length]),
			);
			const requests = upstream.requests.length;
			await use(undefined);
			if (testInfo.status === testInfo.expectedStatus) return;
			const logs = programs.map((program) =>
				program.output().slice(before.get(program) ?? 0),
			);
			const calls = upstream.requests.slice(requests);
			for (const [name, body] of [
				["the program's log", logs.filter(Boolean).join("\n")],
				["requests to the widget API", calls.join("\n")],
			] as const) {
				if (body === "") continue;
				await testInfo.attach(name, { body, contentType: "text/plain" });
			}
		},
		{ auto: true },
	],

	browserErrors: async ({}, use) => {
		await use(new BrowserErrors());
	},

	// Watches every page; a test without a page creates no browser context.
	context: async (
		{ context, browserErrors, withConnect, javaScriptEnabled },
		use,
	) => {
		await browserErrors.watch(context);
		if (javaScriptEnabled) context.on("page", waitInGoto);
		if (withConnect) await ConnectStandIn.install(context);
		await use(context);
		expect(
			browserErrors.unexpected(),
			"unexpected errors in the browser",
		).toEqual([]);
	},

	standIn: async ({ context }, use) => {
		await use(await ConnectStandIn.install(context));
	},

	newClient: async ({ upstream }, use) => {
		const clients: Client[] = [];
		await use((data) => {
			const client = upstream.client(data);
			clients.push(client);
			return client;
		});
		expect(
			upstream.unexpectedRequests.splice(0),
			"requests without a client’s token, or outside the contract",
		).toEqual([]);
		const sent = clients.flatMap((client) =>
			client.requestsOf("log").map(({ text }) => text),
		);
		const logged = [...programs.map(({ output }) => output()), ...sent].join();
		const leaked = clients
			.flatMap(({ secrets }) => secrets)
			.filter((secret) => logged.includes(secret));
		expect(leaked, "secrets in the log").toEqual([]);
	},
});

/** The link that the firm sends. */
export function linkOf(owner: Client | string, extra = ""): string {
	const token = typeof owner === "string" ? owner : owner.token;
	return `/?token=${encodeURIComponent(token)}${extra}`;
}

/** A fresh copy of a link of the sandbox. */
export function demoLink(name: string): string {
	return linkOf(`${name}.${Math.random().toString(36).slice(2)}`);
}
