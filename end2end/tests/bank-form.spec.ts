/** `/integration/select-bank`. Its rules and the bank picker: `islands-react/src/bank-form/*.test.tsx`. */

import { expect, test } from "../support/fixtures.ts";
import {
	bankField,
	bankOptions,
	cpfField,
	nameField,
	nextButton,
} from "../support/locators.ts";
import { holdRequests, installClock, waitForPaint } from "../support/page.ts";
import { layoutShifts } from "../support/screen-checks.ts";
import {
	arriveAtBankForm,
	chooseBank,
	startSession,
	waitForBanks,
} from "../support/steps.ts";
import { CPF } from "../support/widget-api.ts";

test.use({ withConnect: true });

test("the CPF is masked as it is typed or pasted, and the caret stays in place", async ({
	page,
	newClient,
}) => {
	await arriveAtBankForm(page, newClient());
	const field = cpfField(page);
	await field.pressSequentially("5299822472599x");
	await expect(field).toHaveValue(CPF);
	await field.fill("");
	await page.keyboard.insertText("CPF: 529.982.247-25\n");
	await expect(field).toHaveValue(CPF);
	const caret = () =>
		field.evaluate((input) =>
			input instanceof HTMLInputElement ? input.selectionStart : null,
		);
	await field.fill("529.982.247-2");
	await field.press("Home");
	await field.press("ArrowRight");
	await field.press("7");
	await expect(field).toHaveValue("572.998.224-72");
	expect(await caret()).toBe(2);
	await field.press("Backspace");
	await expect(field).toHaveValue("529.982.247-2");
	expect(await caret()).toBe(1);
});

test("until React has loaded nothing can be used, and then nothing moves", async ({
	page,
	newClient,
}) => {
	await startSession(page, newClient(), "bank chosen");
	const sendWasm = await holdRequests(page, /\.wasm$/);
	await page.goto("/integration/select-bank", { waitUntil: "commit" });
	const controls = [
		bankField(page),
		nameField(page),
		cpfField(page),
		nextButton(page),
	];
	const places = () =>
		Promise.all(controls.map((control) => control.boundingBox()));
	for (const control of controls) await expect(control).toBeDisabled();
	await expect(cpfField(page)).toHaveValue("");
	await waitForPaint(page);
	const before = await places();
	sendWasm();
	for (const control of controls) await expect(control).toBeEnabled();
	await expect(cpfField(page)).toHaveValue(CPF);
	await waitForBanks(page);
	expect(await places()).toEqual(before);
	expect(await layoutShifts(page)).toEqual([]);
});

test("the bank’s legal name has its place before a bank is chosen", async ({
	page,
	newClient,
}) => {
	await arriveAtBankForm(page, newClient());
	const name = nameField(page);
	await bankField(page).click();
	const before = await name.boundingBox();
	await chooseBank(page, "Nubank");
	await expect(page.getByText(/^Nu Pagamentos/)).toBeVisible();
	expect(await name.boundingBox()).toEqual(before);
});

test("above a phone’s keyboard the field and two banks of its list are visible", async ({
	page,
	newClient,
}) => {
	await arriveAtBankForm(page, newClient());
	const field = bankField(page);
	// The part of the screen that a keyboard leaves visible.
	await page.setViewportSize({ width: 360, height: 420 });
	await page.evaluate(() => scrollTo(0, 0));
	await field.click();
	const options = bankOptions(page);
	for (const at of [0, 1])
		await expect(options.nth(at)).toBeInViewport({ ratio: 1 });
	await expect(field).toBeInViewport({ ratio: 1 });
});

test("the open list stays when the phone is turned", async ({
	page,
	newClient,
}) => {
	await installClock(page);
	await arriveAtBankForm(page, newClient());
	await bankField(page).click();
	const option = bankOptions(page).first();
	await expect(option).toBeVisible();
	await page.setViewportSize({ width: 740, height: 360 });
	await waitForPaint(page);
	await page.clock.runFor(1000);
	await expect(option).toBeVisible();
});

test("Tab skips the open, scrollable list", { tag: "@desktop" }, async ({
	page,
	newClient,
}) => {
	const banks = Array.from({ length: 40 }, (_, at) => ({
		code: `9${at}`,
		name: `Banco ${at}`,
	}));
	const json = { data: banks, meta: { status: 200, message: "OK" } };
	await arriveAtBankForm(page, newClient().respond("list-banks", { json }));
	const field = bankField(page);
	await field.pressSequentially("banco");
	const list = page.getByRole("listbox");
	expect(
		await list.evaluate(
			({ scrollHeight, clientHeight }) => scrollHeight > clientHeight,
		),
	).toBe(true);
	await field.press("Tab");
	await expect(nameField(page)).toBeFocused();
	await expect(list).toBeHidden();
});

test("opening the list moves nothing on a large screen, and the page stays as long", {
	tag: "@desktop",
}, async ({ page, newClient }) => {
	await arriveAtBankForm(page, newClient());
	const field = bankField(page);
	const height = () =>
		page.evaluate(() => document.documentElement.scrollHeight);
	const before = [await field.boundingBox(), await height()];
	await field.click();
	await expect(bankOptions(page).first()).toBeVisible();
	expect([await field.boundingBox(), await height()]).toEqual(before);
});
