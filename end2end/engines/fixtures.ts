/** Fixtures of the engine tests: one browser per engine, and the program behind TLS. */
import type { WebDriver } from "selenium-webdriver";
import { test as base, expect } from "../support/fixtures.ts";
import { startProduction } from "../support/servers.ts";
import { type Engine, startBrowser } from "./browsers.ts";
import {
	type Certificate,
	newCertificate,
	type RecordingProxy,
	startConnect,
	startProxy,
} from "./proxy.ts";
import { Tab } from "./tab.ts";

export { expect };

export type EngineOption = { engine: Engine };

type Servers = {
	driver: WebDriver;
	certificate: Certificate;
	secure: RecordingProxy;
};

export const test = base.extend<{ tab: Tab }, EngineOption & Servers>({
	engine: ["webkit", { option: true, scope: "worker" }],

	driver: [
		async ({ engine }, use) => {
			const browser = await startBrowser(engine);
			await use(browser.driver);
			await browser.stop();
		},
		{ scope: "worker", timeout: 120_000 },
	],

	certificate: [async ({}, use) => use(newCertificate()), { scope: "worker" }],

	production: [
		async ({ upstream, certificate }, use) => {
			const connect = await startConnect(certificate);
			const program = await startProduction(upstream.url, {
				PLUGGY_CONNECT_URL: connect.url,
			});
			await use(program);
			await program.stop();
			connect.stop();
		},
		{ scope: "worker" },
	],

	secure: [
		async ({ production, certificate }, use) => {
			const proxy = await startProxy(production.url, certificate);
			await use(proxy);
			proxy.stop();
		},
		{ scope: "worker" },
	],

	tab: async ({ driver, secure, browserErrors }, use, info) => {
		const tab = new Tab(driver, secure.url);
		// WebKit rejects what a page loads when it is left, for example the wasm module. A failure that
		// nothing handles is seen in the other engines.
		browserErrors.allow(/unhandled rejection: TypeError: Load failed$/);
		await tab.begin();
		await use(tab);
		if (info.errors.length > 0)
			await info.attach("screen", {
				body: await tab.picture(),
				contentType: "image/png",
			});
		await tab.leave();
		for (const error of secure.errors.splice(0)) browserErrors.add(error);
		expect(
			browserErrors.unexpected(),
			"unexpected errors in the browser",
		).toEqual([]);
	},
});
