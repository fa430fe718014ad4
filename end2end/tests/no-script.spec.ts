/** Without JavaScript entry, consent and cancellation work as native forms. Other pages say what they need. */
import { expect, linkOf, test } from "../support/fixtures.ts";
import {
	cancelAllButton,
	consentBox,
	consentButton,
} from "../support/locators.ts";
import { startSession } from "../support/steps.ts";
import { ACCOUNTS } from "../support/widget-api.ts";

test.use({ javaScriptEnabled: false });

const NEEDS_SCRIPT = /^Esta página precisa de JavaScript/;

test.beforeEach(({ browserErrors }) => {
	// The page preloads its modules, which the browser blocks, and its wasm file, which nothing uses.
	browserErrors.expect(/^request failed: .*\.js csp$/);
	browserErrors.allow(/\.wasm was preloaded using link preload but not used/);
});

test("a client opens the link, gives the consent and cancels everything", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	client.accounts = [ACCOUNTS[0]];
	await test.step("Open the link", async () => {
		await page.goto(linkOf(client));
		await expect(
			page.getByText("Abrindo o seu link…").and(page.locator(":not(h1)")),
		).toBeHidden();
		await page.getByRole("button", { name: "Continuar" }).click();
		await expect(page).toHaveURL("/integration/widget");
	});
	const posted: string[] = [];
	page.on("request", (request) => {
		if (request.method() === "POST")
			posted.push(new URL(request.url()).pathname);
	});
	await test.step("Give the consent, but not without the tick", async () => {
		await expect(page.getByText(NEEDS_SCRIPT)).toBeHidden();
		await consentButton(page).click({ force: true });
		await consentBox(page).check();
		await consentButton(page).click();
		await expect(page).toHaveURL("/integration/accounts");
		expect(
			posted,
			"the browser does not send the form without the tick",
		).toEqual(["/integration/widget"]);
		expect(client.requestsOf("authorize-customer")).toHaveLength(1);
	});
	await test.step("Cancel all integrations", async () => {
		await page.goto("/cancel/confirm");
		await expect(page.getByText(NEEDS_SCRIPT)).toBeHidden();
		await expect(page.getByText("Carregando…")).toBeHidden();
		await cancelAllButton(page).click();
		await expect(page).toHaveURL("/cancel/success");
		expect(client.requestsOf("cancel-integrations")).toHaveLength(1);
		expect(client.requestsOf("list-accounts")).toEqual([]);
	});
});

for (const [path, progress] of [
	["/integration/accounts", "consented"],
	["/integration/select-bank", "consented"],
	["/integration/widget", "bank chosen"],
	["/integration/success", "linked"],
] as const) {
	test(`${path} says that it needs JavaScript, and has no controls`, async ({
		page,
		newClient,
	}) => {
		await startSession(page, newClient(), progress);
		await page.goto(path);
		await expect(page.getByText(NEEDS_SCRIPT)).toBeVisible();
		const working = page
			.getByText(/^(Carregando|Abrindo|Avisando)/)
			.or(page.locator("button, input, .spinner"))
			.filter({ visible: true });
		await expect(working).toHaveCount(0);
	});
}
