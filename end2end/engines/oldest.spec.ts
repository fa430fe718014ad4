/** The journey and every state of the gallery in the oldest available browser, in the phone layout. */
import type { BrowserContext, Page } from "@playwright/test";
import { BrowserErrors } from "../support/browser-errors.ts";
import { test as base, demoLink, expect } from "../support/fixtures.ts";
import { readStates } from "../support/gallery.ts";
import {
	CONSENT,
	chooseBank,
	embeddedConnect,
	fillAdministrator,
	waitForHydration,
} from "../support/steps.ts";
import { startOldest } from "./oldest.ts";

/** Messages of QtWebEngine on every page: it lacks two features; Chrome has the third since 108. */
const OF_EVERY_PAGE = [
	/Unrecognized feature: '(payment|usb)'/,
	/"interactive-widget" is not recognized and ignored/,
];

type Oldest = { oldest: { context: BrowserContext; errors: BrowserErrors } };

const test = base.extend<object, Oldest>({
	oldest: [
		async ({}, use) => {
			const { context, stop } = await startOldest();
			const errors = new BrowserErrors();
			await errors.watch(context);
			await use({ context, errors });
			await stop();
		},
		{ scope: "worker" },
	],
	browserErrors: async ({ oldest }, use) => {
		oldest.errors.forget();
		oldest.errors.expect(...OF_EVERY_PAGE);
		await use(oldest.errors);
	},
	context: async ({ oldest }, use) => use(oldest.context),
	page: async ({ context, browserErrors }, use, info) => {
		const [page] = context.pages();
		if (page === undefined) throw new Error("the window is closed");
		await use(page);
		if (info.errors.length > 0)
			await info.attach("screen", {
				body: await page.screenshot(),
				contentType: "image/png",
			});
		// Late messages belong to this test.
		await page.goto("about:blank");
		expect(
			browserErrors.unexpected(),
			"unexpected errors in the browser",
		).toEqual([]);
	},
});

test("a new integration, and its cancellation", async ({ page, sandbox }) => {
	const isAt = async (path: string) => {
		await expect(page).toHaveURL(sandbox.url + path);
		await expectStyled(page);
	};
	await page.goto(sandbox.url + demoLink("demo-novo"));
	await isAt("/integration/widget");
	await waitForHydration(page);
	await page.getByRole("checkbox").check();
	await page.getByRole("button", { name: CONSENT }).click();

	await isAt("/integration/accounts");
	await page.getByRole("link", { name: "Integrar novo banco" }).click();

	await isAt("/integration/select-bank");
	await expect(page.getByRole("combobox")).toBeEditable();
	await chooseBank(page, "Itaú");
	await fillAdministrator(page);
	await page.getByRole("button", { name: "Avançar" }).click();

	await isAt("/integration/widget");
	await embeddedConnect(page)
		.getByRole("button", { name: "Conectar com sucesso" })
		.click();

	await isAt("/integration/success");
	await expect(
		page.getByRole("heading", { name: "Integração concluída com sucesso!" }),
	).toBeVisible();
	await page
		.getByRole("link", { name: "Integrar outra conta bancária" })
		.click();

	await isAt("/integration/accounts");
	await expect(
		page.locator("tbody tr").filter({ hasText: "Itaú" }).first(),
	).toBeVisible();
	await page.getByRole("link", { name: "clique aqui" }).click();

	await isAt("/cancel/confirm");
	await waitForHydration(page);
	await page
		.getByRole("button", { name: "Cancelar todas integrações" })
		.click();
	await isAt("/cancel/success");
});

for (const { slug, shows } of await readStates()) {
	test(slug, async ({ page, sandbox, browserErrors }) => {
		if (slug.startsWith("not-found")) browserErrors.expect(/status of 404/);
		await page.goto(`${sandbox.url}/sandbox/screens/${slug}`);
		await page.locator("html[data-performed]").waitFor();
		await expect(page.locator(shows).first()).toBeVisible();
		await expectStyled(page);
		expect(await brokenNumbers(page), "numbers on more than one line").toEqual(
			[],
		);
	});
}

/** Expects that the page has its style sheet, and is not wider than the window. */
async function expectStyled(page: Page): Promise<void> {
	// The sentence for browsers that drop the style sheet.
	await expect(page.locator(".outdated")).toBeHidden();
	await expect(page.locator("body")).toHaveCSS("display", "grid");
	const { scrollWidth, clientWidth } = await page.evaluate(() => {
		const { scrollWidth, clientWidth } = document.documentElement;
		return { scrollWidth, clientWidth };
	});
	expect(scrollWidth).toBe(clientWidth);
}

/** Numbers in a table that break across lines. */
function brokenNumbers(page: Page): Promise<string[]> {
	return page.locator("td").evaluateAll((cells) => {
		const broken: string[] = [];
		for (const cell of cells) {
			const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
			while (texts.nextNode()) {
				const text = texts.currentNode as Text;
				for (const { 0: number, index } of text.data.matchAll(/\d[\d.-]+/g)) {
					const range = document.createRange();
					range.setStart(text, index);
					range.setEnd(text, index + number.length);
					const lines = new Set(
						[...range.getClientRects()].map(({ top }) => top),
					);
					if (lines.size > 1) broken.push(number);
				}
			}
		}
		return broken;
	});
}
