/** A new integration by keyboard alone: position and visibility of the focus. */
import { Key } from "selenium-webdriver";
import { linkOf } from "../support/fixtures.ts";
import { whyUnseen } from "../support/page.ts";
import { CONSENT } from "../support/steps.ts";
import { ADMIN, FIRM } from "../support/widget-api.ts";
import { expect, test } from "./fixtures.ts";
import { ADMIN_CPF, ADMIN_NAME, BANK, type Tab } from "./tab.ts";

test("the whole journey", async ({ tab, newClient }) => {
	const client = newClient();
	client.scenario = "error-success";
	/** Presses these keys, and expects a visible focus on this element. */
	const reach = async (keys: string[], role: string, name: string | RegExp) => {
		await tab.press(...keys);
		await tab.hasFocus(role, name);
		await expect
			.poll(
				() => tab.run(whyUnseen),
				`the focus is not seen on ${role} ${name}`,
			)
			.toBe("");
	};
	await tab.open(linkOf(client));
	await tab.isAt("/integration/widget");
	await tab.waitForHydration();
	await tab.hasFocus("heading", new RegExp(FIRM));
	await reach([Key.TAB], "checkbox", new RegExp(FIRM));
	// Past "Não é você?".
	await reach([Key.SPACE, Key.TAB, Key.TAB], "button", CONSENT);
	await tab.press(Key.ENTER);

	await tab.isAt("/integration/accounts");
	await tab.waitForHydration();
	await tab.hasFocus("heading", /./);
	// The link appears with the list.
	await tab.get("link", "Integrar novo banco");
	await reach([Key.TAB], "link", "Integrar novo banco");
	await tab.press(Key.ENTER);

	await tab.isAt("/integration/select-bank");
	await tab.waitForHydration();
	await tab.hasFocus("heading", /Insira os dados do administrador/);
	await reach([Key.TAB], "combobox", BANK);
	await tab.getEditable("combobox", BANK);
	await tab.press(..."banco", Key.ARROW_DOWN, Key.ARROW_DOWN, Key.ARROW_UP);
	const active =
		'document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.innerText';
	await expect.poll(() => tab.run(`return ${active}`)).toContain("Bradesco");
	await tab.press(Key.ENTER);
	await expect
		.poll(() => tab.run("return document.activeElement.value"))
		.toBe("Bradesco");
	// Past "Não é você?".
	await reach([Key.TAB, Key.TAB], "textbox", ADMIN_NAME);
	await reach([...ADMIN, Key.TAB], "textbox", ADMIN_CPF);
	await reach([..."52998224725", Key.TAB], "button", "Avançar");
	await tab.press(Key.SPACE);

	await tab.isAt("/integration/widget");
	await tabIntoConnect(tab);
	await tab.inConnect(() => tab.press(Key.ENTER));
	await expect
		.poll(() => client.log.map(({ type }) => type))
		.toContain("pluggy-widget-error");
	await tab.inConnect(() => tab.press(Key.ENTER));

	await tab.isAt("/integration/success");
	await tab.waitForHydration();
	await tab.hasFocus("heading", "Integração concluída com sucesso!");
	await reach([Key.TAB], "button", "Concluir integração");
	await reach([Key.TAB], "link", "Integrar outra conta bancária");
});

test("Escape inside the frame closes Connect and focuses the heading of the accounts", async ({
	tab,
	newClient,
}) => {
	await tab.open(linkOf(newClient({ widget_type: "update" })));
	await tabIntoConnect(tab);
	await tab.inConnect(() => tab.press(Key.ESCAPE));
	await tab.isAt("/integration/accounts");
	await tab.waitForHydration();
	await tab.hasFocus("heading", /./);
});

/** Moves the focus from the dialog to the button in Connect's frame, with up to six presses of Tab. */
async function tabIntoConnect(tab: Tab): Promise<void> {
	await tab.inConnect(() => tab.hasText("Banco de teste"));
	await tab.hasFocus("heading", "Conexão com o banco");
	const inside = () =>
		tab.inConnect(() =>
			tab.run(
				'return document.hasFocus() && document.activeElement.localName === "button"',
			),
		);
	for (let pressed = 0; pressed < 6 && !(await inside()); pressed += 1)
		await tab.press(Key.TAB);
	await expect.poll(inside, "the focus is in the frame").toBe(true);
}
