/** A new integration by keyboard alone, on the sandbox: order and visibility of the focus. */
import type { Locator, Page } from "@playwright/test";
import { demoLink, expect, test } from "../support/fixtures.ts";
import { whyUnseen } from "../support/page.ts";
import { CONSENT, embeddedConnect, waitForBanks } from "../support/steps.ts";
import { ADMIN, CPF } from "../support/widget-api.ts";

const heading = (page: Page, name?: string | RegExp) =>
	page.getByRole("heading", {
		level: 1,
		...(name === undefined ? {} : { name }),
	});

/** The element with the initial focus in the open Connect. */
const inDialog = (page: Page) =>
	page
		.getByRole("dialog")
		.getByRole("heading", { name: "Conexão com o banco" });

/** Expects a visible focus on this element. */
async function expectStop(stop: Locator): Promise<void> {
	await expect(stop).toBeFocused();
	await expect
		.poll(() => stop.evaluate(whyUnseen), {
			message: `the focus is not seen on ${stop}`,
		})
		.toBe("");
}

test.describe("on the sandbox", () => {
	test.use({ mode: "sandbox" });

	test("the whole journey @desktop", async ({ page }) => {
		const press = (...keys: string[]) =>
			keys.reduce(
				(done, key) => done.then(() => page.keyboard.press(key)),
				Promise.resolve(),
			);
		await page.goto(demoLink("demo-novo"));

		await expect(page).toHaveURL("/integration/widget");
		await expect(heading(page)).toBeFocused();
		await press("Tab");
		await expectStop(page.getByRole("checkbox"));
		await press("Shift+Tab");
		await expectStop(page.getByRole("link", { name: "Ver minhas contas" }));
		await press("Tab", "Space", "Tab");
		const consent = page.getByRole("button", { name: CONSENT });
		await expectStop(consent);
		await press("Tab");
		await expectStop(page.getByText("Não reconhece este pedido?"));
		await press("Shift+Tab", "Shift+Tab");
		await expectStop(page.getByRole("checkbox"));
		await press("Tab", "Enter");

		await expect(page).toHaveURL("/integration/accounts");
		await expect(heading(page)).toBeFocused();
		await expect(
			page.getByRole("link", { name: "Integrar novo banco" }),
		).toBeVisible();
		await press("Tab");
		await expectStop(page.getByRole("link", { name: "Integrar novo banco" }));
		await press("Enter");

		await expect(page).toHaveURL("/integration/select-bank");
		await expect(
			heading(page, /Insira os dados do administrador/),
		).toBeFocused();
		const [bank, send] = [
			page.getByRole("combobox"),
			page.getByRole("button", { name: "Avançar" }),
		];
		await waitForBanks(page);
		await press("Tab");
		await expectStop(bank);
		await page.keyboard.type("banco");
		await press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp");
		await expect(page.getByRole("option").nth(1)).toHaveAttribute(
			"id",
			(await bank.getAttribute("aria-activedescendant")) ?? "",
		);
		await press("Escape");
		await expect(page.getByRole("listbox")).toBeHidden();
		await press("ControlOrMeta+a");
		await page.keyboard.type("itau");
		await press("Enter");
		await expect(bank).toHaveValue(/Itaú/);
		await expectStop(bank);
		const fields = await page.locator("form input[name]").all();
		const typed = new Map([
			["name", ADMIN],
			["cpf", CPF.replace(/\D/g, "")],
		]);
		for (const field of fields) {
			await press("Tab");
			await expectStop(field);
			await page.keyboard.type(
				typed.get((await field.getAttribute("name")) ?? "") ?? "",
			);
		}
		await press("Tab");
		await expectStop(page.getByText("O administrador é outra pessoa?"));
		await press("Tab");
		await expectStop(send);
		await press("Shift+Tab");
		await expectStop(page.getByText("O administrador é outra pessoa?"));
		await press("Tab", "Space");

		await expect(page).toHaveURL("/integration/widget");
		const connect = embeddedConnect(page).getByRole("button", {
			name: "Conectar com sucesso",
		});
		await expect(connect).toBeVisible();
		await expect(inDialog(page)).toBeFocused();
		await tabTo(page, connect);
		await press("Enter");

		await expect(page).toHaveURL("/integration/success");
		await expect(
			heading(page, "Integração concluída com sucesso!"),
		).toBeFocused();
		await press("Tab");
		await expectStop(
			page.getByRole("link", { name: "Integrar outra conta bancária" }),
		);
		await press("Enter");
		await expect(page).toHaveURL("/integration/accounts");
		await expect(heading(page)).toBeFocused();
		// The chosen bank is the linked one.
		await expect(
			page.getByRole("row").filter({ hasText: "10203-0" }),
		).toContainText("Itaú", { timeout: 15_000 });
		// A poll that adds a row does not move the focus.
		await expect(heading(page)).toBeFocused();
		await press("Tab", "Tab");
		await expectStop(page.getByRole("link", { name: "clique aqui" }));
		await press("Enter");
		await expect(page).toHaveURL("/cancel/confirm");
		await expect(heading(page)).toBeFocused();
		await press("Tab");
		await expectStop(
			page.getByRole("button", { name: "Cancelar todas integrações" }),
		);
		await press("Shift+Tab");
		await expectStop(page.getByRole("link", { name: "Voltar sem cancelar" }));
		await press("Tab", "Enter");
		await expect(page).toHaveURL("/cancel/success");
		await expect(heading(page)).toBeFocused();
	});

	test("Tab does not leave the open Connect for the page behind it @desktop", async ({
		page,
	}) => {
		await page.goto(demoLink("demo-atualizar"));
		await expect(
			embeddedConnect(page).getByRole("button", {
				name: "Conectar com sucesso",
			}),
		).toBeVisible();
		await expect(inDialog(page)).toBeFocused();
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

test("the skip link precedes the focused heading and skips the header @desktop", async ({
	page,
}) => {
	await page.goto("/error/token-expired");
	await expect(heading(page)).toBeFocused();
	await page.keyboard.press("Shift+Tab");
	const skip = page.getByRole("link", { name: "Ir para o conteúdo" });
	await expectStop(skip);
	await page.keyboard.press("Enter");
	await expect(page).toHaveURL(/#conteudo$/);
	await page.keyboard.press("Tab");
	await expectStop(page.getByRole("link", { name: "Acessibilidade" }));
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
