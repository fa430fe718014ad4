/** Each kind of reaction to a failure: a toast, field errors, an error screen, the notice of another tab. */
import { linkOf } from "../support/fixtures.ts";
import { failedInto } from "../support/page.ts";
import { CONSENT } from "../support/steps.ts";
import { errorResponse } from "../support/widget-api.ts";
import { expect, test } from "./fixtures.ts";
import { ADMIN_CPF, ADMIN_NAME, BANK, giveConsent } from "./tab.ts";

test("no response shows a toast, and the same button works again", async ({
	tab,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 504: POST \/api\/accept_consent/);
	await tab.open(
		linkOf(newClient().respond("authorize-customer", "drop", undefined)),
	);
	await tab.waitForHydration();
	await tab.click("checkbox", /./);
	await tab.click("button", CONSENT);
	await tab.hasText("Houve falha na requisição.");
	await tab.isAt("/integration/widget");
	await tab.click("button", CONSENT);
	await tab.isAt("/integration/accounts");
});

test("field errors appear under their fields and follow every change", async ({
	tab,
	newClient,
}) => {
	await tab.open(linkOf(newClient()));
	await giveConsent(tab);
	await tab.click("link", "Integrar novo banco");
	await tab.isAt("/integration/select-bank");
	await tab.getEditable("combobox", BANK);
	await tab.click("button", "Avançar");
	await tab.hasText("Obrigatório selecionar o banco!");
	await tab.hasText(
		"Obrigatório preencher o nome completo do administrador da conta bancária!",
	);
	await tab.hasFocus("combobox", BANK);
	await tab.write("textbox", ADMIN_CPF, "529982247");
	await tab.hasText("CPF inválido!");
	await tab.write("textbox", ADMIN_CPF, "25");
	await tab.hasText("CPF inválido!", { not: true });
	await expect
		.poll(async () =>
			(await tab.get("textbox", ADMIN_CPF)).getAttribute("value"),
		)
		.toBe("529.982.247-25");
	await tab.write("textbox", ADMIN_NAME, "Ana");
	await tab.hasText("Obrigatório preencher o nome", { not: true });
});

test("a rejected link navigates to its error screen", async ({
	tab,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 502: POST \/api\/validate_token/);
	await tab.open(
		linkOf(
			newClient().respond(
				"validate-token",
				errorResponse(401, "Expired token"),
			),
		),
	);
	await tab.isAt(failedInto("token-expired"));
	await tab.hasText("O prazo deste link acabou");
});

test("a tab whose session was replaced by another link stops", async ({
	tab,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 409: POST \/api\/check_session/);
	const [first, second] = [newClient(), newClient()];
	await tab.open(linkOf(first));
	await tab.waitForHydration();
	await tab.click("checkbox", /./);
	await tab.inSecondTab(async () => {
		await tab.open(linkOf(second));
		// The page broadcasts to other tabs once its module has loaded.
		await tab.waitForHydration();
	});
	await tab.get("dialog", "Você abriu outro link");
	await tab.hasFocus("heading", "Você abriu outro link");
	await tab.click("link", "Continuar com o link mais recente");
	await tab.isAt("/integration/widget");
	for (const client of [first, second])
		expect(client.requestsOf("authorize-customer")).toEqual([]);
});
