/**
 * Browsers older than the baseline (README) ignore the style sheet, because they lack cascade layers,
 * and may fail to parse the scripts. Pages are unstyled but readable, and the entry works.
 */

import type { Page } from "@playwright/test";
import { expect, linkOf, test } from "../support/fixtures.ts";
import { whyFocusIsUnseen } from "../support/focus.ts";
import { consentBox, consentButton, mainHeading } from "../support/locators.ts";
import { waitForHydration } from "../support/steps.ts";
import { ACCOUNTS } from "../support/widget-api.ts";

const OUTDATED =
	"Este navegador é antigo demais para mostrar esta página direito.";

/** Makes an at-rule or selector unknown to the browser. */
const withoutLayers = (text: string): string =>
	text.replaceAll("@layer", "@unknown");

/** Breaks all inline scripts. */
const withoutScripts = (html: string): string =>
	html.replace(/<script(?![^>]* type=)[^>]*>/g, (tag) => `${tag})(`);

/** Edits documents and style sheets before the browser gets them. */
async function rewrite(
	page: Page,
	change: (text: string) => string,
): Promise<void> {
	await page.route("**", async (route) => {
		const kind = route.request().resourceType();
		if (
			route.request().method() !== "GET" ||
			!["document", "stylesheet"].includes(kind)
		)
			return route.fallback();
		try {
			const response = await route.fetch({ maxRedirects: 0 });
			await route.fulfill({ response, body: change(await response.text()) });
		} catch (error) {
			// The page has navigated, so the response is not needed.
			if (!/disposed|closed/.test(String(error))) throw error;
		}
	});
}

test("without `:has()` the focus on the consent’s box is visible", {
	tag: "@desktop",
}, async ({ page, newClient }) => {
	await rewrite(page, (text) => text.replaceAll(":has(", ":unknown("));
	await page.goto(linkOf(newClient()));
	await waitForHydration(page);
	await page.keyboard.press("Tab");
	const box = consentBox(page);
	await expect(box).toBeFocused();
	expect(await box.evaluate(whyFocusIsUnseen)).toBe("");
});

test("a recent browser is never called old, even if the style sheet does not load", {
	tag: "@deployed",
}, async ({ page, browserErrors }) => {
	browserErrors.expect(/request failed: .*\.css/, /ERR_FAILED/);
	await page.goto("/error/token-expired");
	await expect(page.getByText(OUTDATED)).toBeHidden();
	await page.route("**/*.css", (route) => route.abort());
	await page.reload();
	await expect(mainHeading(page)).toBeVisible();
	await expect(page.getByText(OUTDATED)).toBeHidden();
});

test("without cascade layers a sentence about old browsers is first on every page", async ({
	page,
	newClient,
}) => {
	await rewrite(page, withoutLayers);
	const client = newClient();
	client.accounts = ACCOUNTS;
	const isFirst = async () => {
		await expect(page.getByText(OUTDATED)).toBeVisible();
		expect(
			(await page.locator("body").innerText()).trimStart().startsWith(OUTDATED),
		).toBe(true);
		// No image is wider than the phone, and no text needs horizontal scrolling.
		expect(
			await page.evaluate(
				() => document.documentElement.scrollWidth - innerWidth,
			),
		).toBeLessThanOrEqual(0);
	};
	await page.goto("/error/token-expired");
	await isFirst();
	await page.goto(linkOf(client));
	await expect(page).toHaveURL("/integration/widget");
	await isFirst();
	// Playwright does not intercept the target of a redirect, which a form without React has.
	await waitForHydration(page);
	await consentBox(page).check();
	await consentButton(page).click();
	await expect(page).toHaveURL("/integration/accounts");
	await expect(page.getByText(ACCOUNTS[0].number).first()).toBeVisible();
	await isFirst();
});

test("if scripts cannot be parsed either, entry and consent work", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/Unexpected token/);
	await page.route(/\.m?js(\?|$)/, (route) =>
		route.fulfill({ contentType: "text/javascript", body: ")(" }),
	);
	await rewrite(page, (text) => withoutScripts(withoutLayers(text)));
	const client = newClient();
	await page.goto(linkOf(client));
	await expect(page.getByText(OUTDATED)).toBeVisible();
	expect(await page.content()).not.toContain(client.token);
	await page.getByRole("button", { name: "Continuar" }).click();
	await expect(page).toHaveURL(/\/integration\/widget/);
	// Playwright does not intercept the target of a redirect.
	await page.reload();
	await consentBox(page).check();
	await consentButton(page).click();
	await expect(page).toHaveURL("/integration/accounts");
});
