/** `/integration/widget` before the consent. Box and button: `islands-react/src/consent/consent.test.tsx`. */
import { expect, linkOf, test } from "../support/fixtures.ts";
import { drawn, failedInto, shifts } from "../support/page.ts";
import { CONSENT, giveConsent, waitForHydration } from "../support/steps.ts";
import { errorResponse } from "../support/widget-api.ts";

test("the five steps introduce the form; request, box and button fit on a phone’s first screen", async ({
	page,
	newClient,
}) => {
	await page.setViewportSize({ width: 360, height: 740 });
	// A name of two lines, and a title of four.
	const client = newClient({
		client_name: "Comercial de Panificação e Confeitaria Aurora Ltda",
		customer_name: "Horizonte Assessoria Contábil Ltda",
	});
	await page.goto(linkOf(client));
	const accounts = page.getByRole("link", { name: "Ver minhas contas" });
	const title = page.getByRole("heading", { level: 1 });
	expect((await accounts.boundingBox())?.y).toBeLessThan(
		(await title.boundingBox())?.y ?? 0,
	);
	const button = await page
		.getByRole("button", { name: CONSENT })
		.boundingBox();
	expect((button?.y ?? Infinity) + (button?.height ?? 0)).toBeLessThanOrEqual(
		740,
	);
	const steps = page.getByRole("list", { name: "Passo 1 de 5" });
	await expect(steps.getByRole("listitem")).toHaveText([
		"1 Autorizar",
		"2 Banco",
		"3 Administrador",
		"4 Entrar no banco",
		"5 Confirmar",
	]);
	await expect(steps.locator("[aria-current=step]")).toHaveText("1 Autorizar");
	const [row, form] = [
		await steps.boundingBox(),
		await page.getByRole("heading", { level: 1 }).boundingBox(),
	];
	expect((row?.y ?? Infinity) + (row?.height ?? 0)).toBeLessThanOrEqual(
		form?.y ?? 0,
	);
	// The sentences of the steps are further down.
	const sentences = await page
		.getByRole("heading", { name: "Como funciona" })
		.boundingBox();
	expect(sentences?.y).toBeGreaterThan(button?.y ?? Infinity);
});

test("data, purpose and term are at least as large as the explanation, which replaces the row of steps where it stands next to the form @both-sizes", async ({
	page,
	newClient,
	isMobile,
}) => {
	await page.goto(linkOf(newClient()));
	await expect(page.getByRole("list", { name: "Passo 1 de 5" })).toBeVisible({
		visible: isMobile,
	});
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

test("a person reads at most 180 words on the consent, apart from answers below the button @desktop", async ({
	page,
	newClient,
}) => {
	await page.goto(linkOf(newClient()));
	await waitForHydration(page);
	const text = await page.locator("main").innerText();
	expect(text.split(/\s+/).length).toBeLessThanOrEqual(180);
});

test("the button is disabled until the box is ticked, and has a small spinner while the consent is sent", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	const release = client.hold("authorize-customer");
	await page.goto(linkOf(client));
	await waitForHydration(page);
	const button = page.getByRole("button", { name: CONSENT });
	const spinner = button.locator(".button__spinner");
	await expect(button).toBeDisabled();
	await button.click({ force: true });
	await page.getByRole("checkbox").check();
	await expect(button).toBeEnabled();
	await expect(spinner).toBeHidden();
	await button.click();
	await expect(spinner).toBeVisible();
	const { width = Infinity } = (await spinner.boundingBox()) ?? {};
	expect(width).toBeLessThan(25);
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
	await waitForHydration(page);
	await giveConsent(page);
	await page.goBack();
	await expect(page).toHaveURL("/error/token-expired");
});

test("a late hydration moves nothing under a reader @both-sizes", async ({
	page,
	newClient,
}) => {
	let arrive = (): void => {};
	const late = new Promise<void>((resolve) => {
		arrive = resolve;
	});
	await page.route(/\.wasm$/, async (route) => {
		await late;
		await route.fallback();
	});
	await page.goto(linkOf(newClient()));
	await page.getByText("Como cancelar?").scrollIntoViewIfNeeded();
	const places = () =>
		page
			.locator(".consent *")
			.evaluateAll((elements) =>
				elements.map((element) => element.getBoundingClientRect().toJSON()),
			);
	await drawn(page);
	const before = await places();
	arrive();
	await waitForHydration(page);
	await drawn(page);
	expect(await places()).toEqual(before);
	expect(await shifts(page)).toEqual([]);
});

test("before hydration the browser posts the form, which looks disabled until the box is ticked", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	await page.route(/\/islands\/(?!page-)[^/]*\.js$/, () => {});
	await page.goto(linkOf(client));
	await expect(page).toHaveURL("/integration/widget");
	const posted: string[] = [];
	page.on("request", (request) => {
		if (request.method() === "POST")
			posted.push(new URL(request.url()).pathname);
	});
	const button = page.getByRole("button", { name: CONSENT });
	const hint = page.getByText("Marque a caixa para continuar");
	await expect(button).toHaveCSS("cursor", "not-allowed");
	await expect(hint).toBeVisible();
	await button.click();
	await page.getByRole("checkbox").check();
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
	await waitForHydration(page);
	await page.getByRole("checkbox").check();
	await page.getByRole("button", { name: CONSENT }).click();
	await expect(page).toHaveURL(failedInto("token-expired"));
	expect(client.requestsOf("authorize-customer")).toHaveLength(1);
	await page.goBack();
	await expect(page).toHaveURL("/error/link-not-exists");
});
