/**
 * A journey in WebKit and Firefox, on the sandbox. Over plain HTTP WebKit keeps no cookie with `Secure`, and the sandbox's has
 * none.
 */
import { writeFile } from "node:fs/promises";
import { Key } from "selenium-webdriver";
import { test as base, demoLink } from "../support/fixtures.ts";
import { ADMIN, CPF } from "../support/widget-api.ts";
import { type Engine, startBrowser } from "./browser.ts";
import { Tab } from "./tab.ts";

const CONSENT = /^Autorizar integrações/;
const BANK = /Banco/;
const ADMIN_NAME = /Nome completo do administrador/;
const ADMIN_CPF = /CPF do administrador/;
const ANOTHER_BANK = /^Integrar novo banco/;

const test = base.extend<
	{ tab: Tab },
	{ engine: Engine; driven: Awaited<ReturnType<typeof startBrowser>> }
>({
	engine: ["webkit", { option: true, scope: "worker" }],
	driven: [
		async ({ engine }, use) => {
			const driven = await startBrowser(engine);
			await use(driven);
			await driven.stop();
		},
		{ scope: "worker", timeout: 120_000 },
	],
	tab: async ({ driven, sandbox }, use, info) => {
		const tab = new Tab(driven.driver, sandbox.url);
		await use(tab);
		if (info.errors.length === 0) return;
		const path = info.outputPath("screen.png");
		await writeFile(path, await tab.picture());
		await info.attach("screen", { path });
	},
});

test("a client links an account and cancels it", async ({ tab }) => {
	await test.step("Give the consent, and see the empty list", async () => {
		await tab.open(demoLink("demo-novo"));
		await tab.isAt("/integration/widget");
		await tab.click("checkbox", /./);
		await tab.click("button", CONSENT);
		await tab.isAt("/integration/accounts");
		await tab.hasText("Nenhuma conta autorizada.");
	});
	await test.step("Send the bank form", async () => {
		await tab.click("link", ANOTHER_BANK);
		await tab.isAt("/integration/select-bank");
		await tab.write("combobox", BANK, "Itaú");
		await tab.click("option", /Itaú/);
		await tab.write("textbox", ADMIN_NAME, ADMIN);
		await tab.write("textbox", ADMIN_CPF, CPF);
		await tab.click("button", /^Avançar/);
	});
	await test.step("Link an account in Connect", async () => {
		await tab.inConnect(() => tab.click("button", /^Conectar com sucesso/));
		await tab.isAt("/integration/success");
		await tab.get("heading", /^Integração concluída com sucesso!/);
	});
	await test.step("See the account in the list", async () => {
		await tab.click("link", /^Integrar outra conta/);
		await tab.isAt("/integration/accounts");
		await tab.hasText("10203-0");
	});
	await test.step("Cancel all integrations", async () => {
		await tab.click("link", /^clique aqui/);
		await tab.isAt("/cancel/confirm");
		await tab.click("button", /^Cancelar todas integrações/);
		await tab.isAt("/cancel/success");
	});
});

test("a client sends the bank form by keyboard", async ({ tab }) => {
	await test.step("Give the consent", async () => {
		await tab.open(demoLink("demo-novo"));
		await tab.isAt("/integration/widget");
		await tab.reach([Key.TAB], "checkbox", /./);
		await tab.reach([Key.SPACE, Key.TAB], "button", CONSENT);
		await tab.press(Key.ENTER);
		await tab.isAt("/integration/accounts");
	});
	await test.step("Open the bank form", async () => {
		await tab.get("link", ANOTHER_BANK);
		await tab.reach([Key.TAB], "link", ANOTHER_BANK);
		await tab.press(Key.ENTER);
		await tab.isAt("/integration/select-bank");
	});
	await test.step("Choose a bank", async () => {
		await tab.get("combobox", BANK);
		await tab.reach([Key.TAB], "combobox", BANK);
		await tab.press(..."banco", Key.ARROW_DOWN, Key.ESCAPE);
		await tab.press(...Array(5).fill(Key.BACK_SPACE), ..."itau", Key.ENTER);
		await tab.hasValue("combobox", BANK, "Itaú");
	});
	await test.step("Fill and send the bank form", async () => {
		await tab.reach([Key.TAB], "textbox", ADMIN_NAME);
		await tab.reach([...ADMIN, Key.TAB], "textbox", ADMIN_CPF);
		await tab.press(..."52998224725");
		await tab.hasValue("textbox", ADMIN_CPF, CPF);
		// Past "O administrador é outra pessoa?".
		await tab.reach([Key.TAB, Key.TAB], "button", /^Avançar/);
		await tab.press(Key.SPACE);
		await tab.isAt("/integration/widget");
	});
});
