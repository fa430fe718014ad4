/** Without JavaScript entry, consent and cancellation work as native forms. Other pages say what they need. */
import { expect, linkOf, SCRIPT_LEFT_OUT, test } from "../support/fixtures.ts";
import { CONSENT, startSession } from "../support/steps.ts";
import { ACCOUNTS } from "../support/widget-api.ts";

test.use({ javaScriptEnabled: false });

const NEEDS_SCRIPT = /^Esta página precisa de JavaScript/;

test("the link is opened, the consent given, but not without the tick, and everything cancelled", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(SCRIPT_LEFT_OUT);
	const client = newClient();
	client.accounts = [ACCOUNTS[0]];
	await page.goto(linkOf(client));
	await expect(
		page.getByText("Abrindo o seu link…").and(page.locator(":not(h1)")),
	).toBeHidden();
	await page.getByRole("button", { name: "Continuar" }).click();
	await expect(page).toHaveURL("/integration/widget");
	await expect(page.getByText(NEEDS_SCRIPT)).toBeHidden();
	const posted: string[] = [];
	page.on("request", (request) => {
		if (request.method() === "POST")
			posted.push(new URL(request.url()).pathname);
	});
	await page.getByRole("button", { name: CONSENT }).click({ force: true });
	await page.getByRole("checkbox").check();
	await page.getByRole("button", { name: CONSENT }).click();
	await expect(page).toHaveURL("/integration/accounts");
	expect(posted, "the browser does not send the form without the tick").toEqual(
		["/integration/widget"],
	);
	expect(client.requestsOf("authorize-customer")).toHaveLength(1);
	await page.goto("/cancel/confirm");
	await expect(page.getByText(NEEDS_SCRIPT)).toBeHidden();
	await expect(page.getByText("Carregando suas contas…")).toBeHidden();
	await page
		.getByRole("button", { name: "Cancelar todas integrações" })
		.click();
	await expect(page).toHaveURL("/cancel/success");
	expect(client.requestsOf("cancel-integrations")).toHaveLength(1);
	expect(client.requestsOf("list-accounts")).toEqual([]);
});

for (const [path, progress] of [
	["/integration/accounts", "consented"],
	["/integration/select-bank", "consented"],
	["/integration/widget", "bank chosen"],
	["/integration/success", "linked"],
] as const) {
	test(`${path} says that it needs JavaScript, shows nothing as loading, and has no button`, async ({
		page,
		newClient,
		browserErrors,
	}) => {
		browserErrors.expect(SCRIPT_LEFT_OUT);
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
