/** An extension whose scripts fail in the product's pages (`support/extension/`). Nothing is shown, and nothing is reported. */
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "@playwright/test";
import { test as base, expect } from "../support/fixtures.ts";
import { brokenPart, mainHeading } from "../support/locators.ts";
import {
	holdRequests,
	waitForHydration,
	waitForPaint,
} from "../support/page.ts";
import { startSession } from "../support/steps.ts";

const EXTENSION = fileURLToPath(
	new URL("../support/extension", import.meta.url),
);

const test = base.extend({
	// Only a browser with a profile of its own loads extensions.
	context: async ({ browserErrors, launchOptions }, use) => {
		const context = await chromium.launchPersistentContext("", {
			args: [
				...(launchOptions.args ?? []),
				`--disable-extensions-except=${EXTENSION}`,
				`--load-extension=${EXTENSION}`,
			],
			ignoreDefaultArgs: ["--disable-extensions"],
		});
		await browserErrors.watch(context);
		await use(context);
		await context.close();
		expect(browserErrors.unexpected()).toEqual([]);
	},
});

test.skip(
	({ launchOptions: { executablePath = "" } }) =>
		/google.chrome/i.test(executablePath),
	"Chrome, unlike Chromium, loads no extensions from the command line",
);

/** Makes the extension fail in its three ways, and waits until it has. */
async function failExtension(page: Page): Promise<void> {
	await page.evaluate(
		() =>
			new Promise((failed) => {
				addEventListener("extension-failed", failed, { once: true });
				dispatchEvent(new Event("extension-fail"));
			}),
	);
	await waitForPaint(page);
}

test("failures of an extension are neither shown nor reported, and keep the focus", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(
		/^request failed: chrome-extension:.*\/forgotten\.js/,
		/ERR_FILE_NOT_FOUND/,
		/^page error: a rejection of the extension/,
		/^page error: an exception of the extension/,
	);
	await startSession(page, newClient(), "consented");
	const release = await holdRequests(page, /\.wasm$/);
	await page.goto("/integration/accounts", { waitUntil: "load" });
	const expectNothing = async () => {
		await failExtension(page);
		await expect(brokenPart(page)).toBeHidden();
		await expect(mainHeading(page)).toBeFocused();
	};
	await expectNothing();
	await expect(page.locator("body")).not.toHaveAttribute("data-islands");
	release();
	await waitForHydration(page);
	await expectNothing();
});
