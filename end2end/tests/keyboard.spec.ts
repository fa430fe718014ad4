/** A new integration by keyboard alone, on the sandbox: order and visibility of the focus. */

import type { Locator, Page } from "@playwright/test";
import { demoLink, expect, test } from "../support/fixtures.ts";
import { whyFocusIsUnseen } from "../support/focus.ts";
import {
	accountRow,
	anotherAccountLink,
	bankField,
	bankOptions,
	cancelAllButton,
	cancelLink,
	connectDialog,
	connectFrame,
	consentBox,
	consentButton,
	cpfField,
	mainHeading,
	nameField,
	newBankLink,
	nextButton,
	successTitle,
} from "../support/locators.ts";
import { waitForHydration } from "../support/page.ts";
import { waitForBanks } from "../support/steps.ts";
import { ADMIN, CPF } from "../support/widget-api.ts";

/** The element with the initial focus in the open Connect. */
const connectHeading = (page: Page) =>
	connectDialog(page).getByRole("heading", { name: "Conexão com o banco" });

/** Expects the focus on this element, with a visible ring. */
async function expectVisibleFocus(element: Locator): Promise<void> {
	await expect(element).toBeFocused();
	await expect
		.poll(() => element.evaluate(whyFocusIsUnseen), {
			message: `the focus is not seen on ${element}`,
		})
		.toBe("");
}

test.describe("on the sandbox", () => {
	test.use({ mode: "sandbox" });

	test("a client links an account and cancels it by keyboard", {
		tag: ["@deployed", "@desktop"],
	}, async ({ page }) => {
		const press = async (...keys: string[]) => {
			for (const key of keys) await page.keyboard.press(key);
		};
		await page.goto(demoLink("demo-novo"));

		await test.step("Give the consent", async () => {
			await expect(page).toHaveURL("/integration/widget");
			await waitForHydration(page);
			await expect(mainHeading(page)).toBeFocused();
			await press("Tab");
			await expectVisibleFocus(consentBox(page));
			await press("Space", "Tab");
			await expectVisibleFocus(consentButton(page));
			await press("Tab");
			await expectVisibleFocus(page.getByText("Não reconhece este pedido?"));
			await press("Tab");
			await expectVisibleFocus(
				page.getByRole("link", { name: "Ver minhas contas" }),
			);
			await press("Shift+Tab", "Shift+Tab", "Shift+Tab");
			await expectVisibleFocus(consentBox(page));
			await press("Tab", "Enter");
		});

		await test.step("Open the bank form", async () => {
			await expect(page).toHaveURL("/integration/accounts");
			await expect(mainHeading(page)).toBeFocused();
			await expect(newBankLink(page)).toBeVisible();
			await press("Tab");
			await expectVisibleFocus(newBankLink(page));
			await press("Enter");
		});

		await test.step("Choose a bank", async () => {
			await expect(page).toHaveURL("/integration/select-bank");
			await expect(mainHeading(page)).toBeFocused();
			await expect(mainHeading(page)).toContainText(
				"Insira os dados do administrador",
			);
			await waitForBanks(page);
			const bank = bankField(page);
			await press("Tab");
			await expectVisibleFocus(bank);
			await page.keyboard.type("banco");
			await press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp");
			await expect(bankOptions(page).nth(1)).toHaveAttribute(
				"id",
				(await bank.getAttribute("aria-activedescendant")) ?? "",
			);
			await press("Escape");
			await expect(page.getByRole("listbox")).toBeHidden();
			await press("ControlOrMeta+a");
			await page.keyboard.type("itau");
			await press("Enter");
			await expect(bank).toHaveValue(/Itaú/);
			await expectVisibleFocus(bank);
		});

		await test.step("Fill and send the bank form", async () => {
			await press("Tab");
			await expectVisibleFocus(nameField(page));
			await page.keyboard.type(ADMIN);
			await press("Tab");
			await expectVisibleFocus(cpfField(page));
			await page.keyboard.type(CPF.replace(/\D/g, ""));
			await press("Tab");
			await expectVisibleFocus(
				page.getByText("O administrador é outra pessoa?"),
			);
			await press("Tab");
			await expectVisibleFocus(nextButton(page));
			await press("Shift+Tab");
			await expectVisibleFocus(
				page.getByText("O administrador é outra pessoa?"),
			);
			await press("Tab", "Space");
		});

		await test.step("Link an account in Connect", async () => {
			await expect(page).toHaveURL("/integration/widget");
			const link = connectFrame(page).getByRole("button", {
				name: "Conectar com sucesso",
			});
			await expect(link).toBeVisible();
			await expect(connectHeading(page)).toBeFocused();
			await tabTo(page, link);
			await press("Enter");
		});

		await test.step("Return to the accounts", async () => {
			await expect(page).toHaveURL("/integration/success");
			await expect(successTitle(page)).toBeFocused();
			await press("Tab");
			await expectVisibleFocus(anotherAccountLink(page));
			await press("Enter");
		});

		await test.step("See the account, without losing the focus", async () => {
			await expect(page).toHaveURL("/integration/accounts");
			await expect(mainHeading(page)).toBeFocused();
			// The chosen bank is the linked one.
			const row = accountRow(page, { number: "10203-0" });
			await expect(row).toContainText("Itaú", { timeout: 15_000 });
			await expect(mainHeading(page)).toBeFocused();
		});

		await test.step("Cancel all integrations", async () => {
			await press("Tab", "Tab");
			await expectVisibleFocus(cancelLink(page));
			await press("Enter");
			await expect(page).toHaveURL("/cancel/confirm");
			await expect(mainHeading(page)).toBeFocused();
			await press("Tab");
			await expectVisibleFocus(cancelAllButton(page));
			await press("Tab");
			await expectVisibleFocus(
				page.getByRole("link", { name: "Voltar sem cancelar" }),
			);
			await press("Shift+Tab", "Enter");
			await expect(page).toHaveURL("/cancel/success");
			await expect(mainHeading(page)).toBeFocused();
		});
	});

	test("Tab does not leave the open Connect for the page behind it", {
		tag: ["@deployed", "@desktop"],
	}, async ({ page }) => {
		await page.goto(demoLink("demo-atualizar"));
		await expect(
			connectFrame(page).getByRole("button", {
				name: "Conectar com sucesso",
			}),
		).toBeVisible();
		await expect(connectHeading(page)).toBeFocused();
		for (let stop = 0; stop < 12; stop += 1) {
			await page.keyboard.press("Tab");
			// After the last element, the focus moves to the browser's controls, and to `body` in the page.
			const isBehind = await page.evaluate(() => {
				const active = document.activeElement ?? document.body;
				return active !== document.body && active.closest("dialog") === null;
			});
			expect(isBehind, `stop ${stop}`).toBe(false);
		}
		// Without the dialog, Tab would reach a link.
		const behind = page.locator(".page__footer a").first();
		await behind.evaluate((link: HTMLElement) => link.focus());
		await expect(behind).not.toBeFocused();
	});
});

test("the skip link precedes the focused heading and skips the header", {
	tag: ["@deployed", "@desktop"],
}, async ({ page }) => {
	await page.goto("/error/token-expired");
	await expect(mainHeading(page)).toBeFocused();
	await page.keyboard.press("Shift+Tab");
	const skip = page.getByRole("link", { name: "Ir para o conteúdo" });
	await expectVisibleFocus(skip);
	await page.keyboard.press("Enter");
	await expect(page).toHaveURL(/#conteudo$/);
	await page.keyboard.press("Tab");
	await expectVisibleFocus(page.getByRole("link", { name: "Acessibilidade" }));
});

/** Presses Tab until the element has the focus, up to twelve times. */
async function tabTo(page: Page, stop: Locator): Promise<void> {
	const has = () =>
		stop.evaluate(
			(element) =>
				element.ownerDocument.hasFocus() &&
				element.ownerDocument.activeElement === element,
		);
	for (let pressed = 0; pressed < 12 && !(await has()); pressed += 1)
		await page.keyboard.press("Tab");
	await expect(stop).toBeFocused();
}
