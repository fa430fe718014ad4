/** `/integration/widget` before the consent. Box and button: `islands-react/src/consent/consent.test.tsx`. */

import { expect, linkOf, test } from "../support/fixtures.ts";
import { whyFocusIsUnseen } from "../support/focus.ts";
import {
	consentBox,
	consentButton,
	errorUrl,
	mainHeading,
} from "../support/locators.ts";
import {
	boxOf,
	holdRequests,
	waitForHydration,
	waitForPaint,
} from "../support/page.ts";
import { layoutShifts } from "../support/screen-checks.ts";
import { giveConsent } from "../support/steps.ts";
import { errorResponse } from "../support/widget-api.ts";

test("the step and the request with its button are on a phone’s first screen, also with long names", async ({
	page,
	newClient,
}) => {
	await page.setViewportSize({ width: 360, height: 740 });
	const client = newClient({
		client_name:
			"Comercial de Panificação, Confeitaria e Produtos Coloniais Irmãos Albuquerque Cavalcanti Ltda",
		customer_name:
			"Horizonte & Irmãos Assessoria Contábil, Tributária e Empresarial Sociedade Simples",
	});
	await page.goto(linkOf(client));
	await expect(consentButton(page)).toBeInViewport({ ratio: 1 });

	const firm = await boxOf(page.locator(".brand__firm"));
	const step = await boxOf(page.getByText("Passo 1 de 5: Autorizar"));
	expect(firm.height, "one line, also of a long name").toBeLessThan(24);
	expect(step.x).toBe(firm.x);
	expect(step.y).toBeGreaterThanOrEqual(firm.bottom);
	const heading = await boxOf(mainHeading(page));
	expect(step.bottom).toBeLessThan(heading.y);
});

test("the terms are as large as the explanation", {
	tag: "@both-sizes",
}, async ({ page, newClient }) => {
	await page.goto(linkOf(newClient()));
	const sizeOf = (text: string) =>
		page
			.getByText(text)
			.evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize));
	const explanation = await sizeOf("Selecione o banco.");
	for (const text of [
		"Dados que serão compartilhados",
		"Dados de extrato bancário",
		"contabilidade.",
		"Vale até você cancelar.",
	])
		expect(await sizeOf(text), text).toBeGreaterThanOrEqual(
			Math.max(16, explanation),
		);
});

test("the consent has at most 180 words, apart from answers below the button", {
	tag: "@desktop",
}, async ({ page, newClient }) => {
	await page.goto(linkOf(newClient()));
	const text = await page.locator("main").innerText();
	expect(text.split(/\s+/).length).toBeLessThanOrEqual(180);
});

test("the button needs the tick, and has a spinner while the consent is sent", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	const release = client.hold("authorize-customer");
	await page.goto(linkOf(client));
	const button = consentButton(page);
	const spinner = button.locator(".button__spinner");
	await expect(button).toBeDisabled();
	await button.click({ force: true });
	await consentBox(page).check();
	await expect(button).toBeEnabled();
	await expect(spinner).toBeHidden();
	await button.click();
	await expect(spinner).toBeVisible();
	expect((await boxOf(spinner)).width).toBeLessThan(25);
	expect(
		client.requestsOf("authorize-customer"),
		"the first press sent nothing",
	).toHaveLength(1);
	release();
	await expect(page).toHaveURL("/integration/accounts");
});

test("the accounts replace the consent in the history", async ({
	page,
	newClient,
}) => {
	await page.goto("/error/token-expired");
	await page.goto(linkOf(newClient()));
	await giveConsent(page);
	await page.goBack();
	await expect(page).toHaveURL("/error/token-expired");
});

test("a late hydration moves nothing under a reader", {
	tag: "@both-sizes",
}, async ({ page, newClient }) => {
	const sendWasm = await holdRequests(page, /\.wasm$/);
	await page.goto(linkOf(newClient()), { waitUntil: "commit" });
	await page.getByText("Como cancelar?").scrollIntoViewIfNeeded();
	const places = () =>
		page
			.locator(".consent *")
			.evaluateAll((elements) =>
				elements.map((element) => element.getBoundingClientRect().toJSON()),
			);
	await waitForPaint(page);
	const before = await places();
	sendWasm();
	await waitForHydration(page);
	await waitForPaint(page);
	expect(await places()).toEqual(before);
	expect(await layoutShifts(page)).toEqual([]);
});

test("before hydration the browser posts the form, and only with the tick", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	await page.route(/\/islands\/(?!page-)[^/]*\.js$/, () => {});
	await page.goto(linkOf(client), { waitUntil: "commit" });
	await expect(page).toHaveURL("/integration/widget");
	const posted: string[] = [];
	page.on("request", (request) => {
		if (request.method() === "POST")
			posted.push(new URL(request.url()).pathname);
	});
	const button = consentButton(page);
	const hint = page.getByText("Marque a caixa para continuar");
	await expect(button).toHaveCSS("cursor", "not-allowed");
	await expect(hint).toBeVisible();
	await button.click();
	await consentBox(page).check();
	await expect(button).toHaveCSS("cursor", "pointer");
	await expect(hint).toBeHidden();
	await button.click();
	await expect(page).toHaveURL("/integration/accounts");
	expect(posted[0], "and the first press sent nothing").toBe(
		"/integration/widget",
	);
	expect(client.requestsOf("authorize-customer")).toHaveLength(1);
});

test("an error of the consent replaces it in the history", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 410/);
	const client = newClient().respond(
		"authorize-customer",
		errorResponse(401, "Expired token"),
	);
	await page.goto("/error/link-not-exists");
	await page.goto(linkOf(client));
	await consentBox(page).check();
	await consentButton(page).click();
	await expect(page).toHaveURL(errorUrl("token-expired"));
	expect(client.requestsOf("authorize-customer")).toHaveLength(1);
	await page.goBack();
	await expect(page).toHaveURL("/error/link-not-exists");
});

test("without `:has()` the focus on the box is visible", {
	tag: "@desktop",
}, async ({ page, newClient }) => {
	await page.route("**/*.css", async (route) => {
		const response = await route.fetch();
		const css = await response.text();
		const body = css.replaceAll(":has(", ":unknown(");
		await route.fulfill({ response, body });
	});
	await page.goto(linkOf(newClient()));
	await page.keyboard.press("Tab");
	await expect(consentBox(page)).toBeFocused();
	expect(await consentBox(page).evaluate(whyFocusIsUnseen)).toBe("");
});

test("forced colours show the bar of the steps and the markers of the data", async ({
	page,
	newClient,
}) => {
	await page.emulateMedia({ forcedColors: "active" });
	await page.goto(linkOf(newClient()));
	const text = await mainHeading(page).evaluate(
		(one) => getComputedStyle(one).color,
	);
	const segment = page.locator(".progress__segment").first();
	await expect(segment).toHaveCSS("background-color", text);
	const marker = page
		.getByText("Número da agência")
		.evaluate((one) => getComputedStyle(one, "::before").borderTopColor);
	expect(await marker).toBe(text);
});

test("it prints without backgrounds, in any colour scheme", async ({
	page,
	newClient,
}) => {
	await page.goto(linkOf(newClient()));
	await page.emulateMedia({ media: "print", colorScheme: "dark" });
	for (const part of [
		".brand__monogram",
		".band__sheet",
		".consent__promise",
		".checkbox",
	])
		await expect(page.locator(part)).toHaveCSS(
			"background-color",
			"rgba(0, 0, 0, 0)",
		);
	await expect(mainHeading(page)).toHaveCSS("color", "rgb(0, 0, 0)");
});
