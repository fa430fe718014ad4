/** Browsers older than the baseline (README), and those that block WebAssembly, say at once that another one is needed. */
import type { Page } from "@playwright/test";
import { expect, linkOf, test } from "../support/fixtures.ts";
import {
	brokenPart,
	consentBox,
	consentButton,
	mainHeading,
} from "../support/locators.ts";

const outdated = (page: Page) =>
	page.getByText(/^Este navegador não consegue mostrar/);

for (const feature of ["WebAssembly", "CSSLayerBlockRule", "HTMLDialogElement"])
	test(`a browser without ${feature} shows the sentence at once`, async ({
		page,
	}) => {
		await page.addInitScript((name) => {
			Reflect.deleteProperty(window, name);
		}, feature);
		await page.goto("/error/token-expired");
		await expect(outdated(page)).toBeVisible();
	});

test("a browser that blocks WebAssembly shows the sentence at once", async ({
	page,
	browserErrors,
}) => {
	// As Safari before 16 reads the policy.
	await page.route("/error/token-expired", async (route) => {
		const response = await route.fetch();
		const headers = response.headers();
		const policy = headers["content-security-policy"] ?? "";
		headers["content-security-policy"] = policy.replace(
			"'wasm-unsafe-eval'",
			"",
		);
		await route.fulfill({ response, headers });
	});
	browserErrors.expect(/wasm-eval/);
	await page.goto("/error/token-expired");
	await expect(outdated(page)).toBeVisible();
});

test("without WebAssembly the native forms work, nothing else is shown, and one report is sent", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/^island failed: page: outdated: ReferenceError/);
	let reports = 0;
	page.on("request", (request) => {
		if (request.url().endsWith("/api/report_island")) reports += 1;
	});
	await page.addInitScript(() => {
		Reflect.deleteProperty(window, "WebAssembly");
	});
	await page.goto(linkOf(newClient()));
	await expect(page).toHaveURL("/integration/widget");
	await expect(outdated(page)).toBeVisible();
	await consentBox(page).check();
	await consentButton(page).click();
	await expect(page).toHaveURL("/integration/accounts");
	await expect(outdated(page)).toBeVisible();
	await expect(page.getByText(/^Carregando/)).toBeHidden();
	await expect(brokenPart(page)).toBeHidden();
	expect(reports).toBe(1);
});

test("a recent browser is never called old, even if the style sheet does not load", {
	tag: "@deployed",
}, async ({ page, browserErrors }) => {
	browserErrors.expect(/request failed: .*\.css/, /ERR_FAILED/);
	await page.goto("/error/token-expired");
	await expect(outdated(page)).toBeHidden();
	await page.route("**/*.css", (route) => route.abort());
	await page.reload();
	await expect(mainHeading(page)).toBeVisible();
	await expect(outdated(page)).toBeHidden();
});
