/** The example of a widget API on the fake of Pluggy, whose Connect is the stand-in. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { FakePluggy } from "../../examples/widget-api/test/fake-pluggy.js";
import { ITEM_ID } from "../support/connect-stand-in.ts";
import { test as base, expect, linkOf } from "../support/fixtures.ts";
import {
	accountRow,
	anotherAccountLink,
	cancelLink,
	newBankLink,
} from "../support/locators.ts";
import {
	BINARY,
	type Program,
	startExample,
	startProduction,
} from "../support/servers.ts";
import {
	cancelEverything,
	giveConsent,
	sendBankForm,
	waitForConnect,
} from "../support/steps.ts";

type Example = Awaited<ReturnType<typeof startExample>>;

const test = base.extend<{
	fake: FakePluggy;
	example: Example;
	product: Program;
}>({
	fake: async ({}, use) => {
		const fake = await new FakePluggy().start();
		await use(fake);
		fake.stop();
		expect(fake.strays, "requests outside Pluggy’s API").toEqual([]);
	},
	example: async ({ fake }, use) => {
		const example = await startExample(fake.settings);
		await use(example);
		await example.stop();
	},
	product: async ({ example }, use) => {
		const settings = { BANK_CODES: "connector" };
		const program = await startProduction(example.url, settings);
		await use(program);
		await program.stop();
	},
	baseURL: async ({ product }, use) => use(product.url),
});

test("check-api finds nothing wrong with the example", async ({ example }) => {
	const parameters = ["check-api", example.url];
	const { stdout } = await promisify(execFile)(BINARY, parameters, {
		env: { CHECK_API_TOKEN: example.link() },
	});
	expect(stdout.match(/^✓/gm)).toHaveLength(3);
});

test("a client links an account through Pluggy’s API and cancels it", async ({
	page,
	standIn,
	fake,
	example,
	product,
}) => {
	const link = example.link();
	await test.step("Open the link", () => page.goto(linkOf(link)));
	await giveConsent(page);
	await newBankLink(page).click();
	await sendBankForm(page, "Itaú Empresas");

	await test.step("Link an account in Connect, at the chosen bank", async () => {
		const connect = await waitForConnect(page);
		expect(standIn.openings).toBe(1);
		const props = await connect.getByTestId("props").innerText();
		expect(JSON.parse(props)).toMatchObject({ selectedConnectorId: 619 });
		const { clientUserId } = fake.lastConnectToken.options;
		fake.addItem(clientUserId, "updating", { id: ITEM_ID });
		await connect.getByRole("button", { name: "Continuar" }).click();
	});

	await test.step("See the account in the list once Pluggy has it", async () => {
		await anotherAccountLink(page).click();
		await expect(
			page.getByText(/^Você conectou Itaú Empresas às /),
		).toBeVisible();
		fake.moveItem(ITEM_ID, "updated");
		fake.addAccount(ITEM_ID, {
			bankData: null,
			number: "260/0001/06809695-5",
			owner: "PADARIA EXEMPLO LTDA",
		});
		const row = accountRow(page, { number: "06809695-5" });
		await expect(row).toContainText("0001");
		await expect(row).toContainText("PADARIA EXEMPLO LTDA");
	});

	await cancelLink(page).click();
	await cancelEverything(page);
	await expect.poll(() => fake.items.size, "items at Pluggy").toBe(0);
	for (const secret of [link, "12.345.678", "529.982.247", "06809695"])
		expect(example.output() + product.output()).not.toContain(secret);
});
