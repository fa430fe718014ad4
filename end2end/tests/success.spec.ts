/** `/integration/success`. For its report to the widget API: `src/tests/success.rs`. */
import { expect, linkOf, test } from "../support/fixtures.ts";

test('"Concluir integração" is disabled until its island works, and its replacement gets the focus', async ({
	page,
	newClient,
}) => {
	let load = (): void => {};
	const loads = new Promise<void>((done) => {
		load = done;
	});
	await page.route("**/pkg/*.wasm", async (route) => {
		await loads;
		await route.continue();
	});
	await page.goto(linkOf(newClient(), "&of-success"));
	const [button, another] = [
		page.getByRole("button", { name: "Concluir integração" }),
		page.getByRole("link", { name: "Integrar outra conta bancária" }),
	];
	await expect(another).toBeVisible();
	const closing = page.getByText(
		"Tudo certo. Você já pode fechar esta página.",
	);
	await expect(closing).toBeHidden();
	await expect(button).toBeDisabled();
	load();
	await button.click();
	for (const gone of [button, another]) await expect(gone).toBeHidden();
	await expect(closing).toBeFocused();
	await expect(
		closing,
		"Orca reads nothing in Chromium if the element with the focus disappears",
	).toHaveAttribute("aria-live", "polite");
	await expect(
		page.getByRole("heading", { name: "Integração concluída com sucesso!" }),
	).toBeVisible();
});

test("a success call without a response can be retried without losing the focus", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 500 .*confirm_success/);
	const client = newClient().respond("success", "drop", "drop", undefined);
	await page.goto(linkOf(client, "&of-success"));
	const again = page.getByRole("button", { name: "Tentar de novo" });
	await expect(
		page.locator("[aria-live]", { hasText: "ainda não conseguimos avisar" }),
	).toBeVisible();
	await expect(page.locator("#toasts > .toast")).toHaveText(
		"Houve falha na requisição.",
	);
	await again.press("Enter");
	// The card has not changed, so it is not announced again.
	await expect(page.locator("#toasts > [aria-live] > .toast")).toHaveText(
		"Houve falha na requisição.",
	);
	await expect(again).toBeFocused();
	await again.press("Enter");
	await expect(again).toBeHidden();
	await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});
