/** `/integration/receipt` on paper. Its facts, and the ways to it: `src/tests/linkings.rs`. */
import { expect, test } from "../support/fixtures.ts";
import { startSession } from "../support/steps.ts";

test("it prints black on white without controls, also in the dark colour scheme", async ({
	page,
	newClient,
}) => {
	await startSession(page, newClient(), "linked");
	await page.goto("/integration/success");
	await page.getByRole("link", { name: "Comprovante" }).click();
	await expect(page).toHaveURL("/integration/receipt");
	await page.emulateMedia({ media: "print", colorScheme: "dark" });
	const heading = page.getByRole("heading", { level: 1 });
	await expect(heading).toBeVisible();
	const colors = await heading.evaluate((element) => [
		getComputedStyle(element).color,
		getComputedStyle(document.body).backgroundColor,
		getComputedStyle(document.documentElement).colorScheme,
	]);
	expect(colors).toEqual(["rgb(0, 0, 0)", "rgba(0, 0, 0, 0)", "light"]);
	await expect(page.getByText("Quem foi autorizado")).toHaveCSS(
		"color",
		"rgb(0, 0, 0)",
	);
	await expect(
		page.getByRole("link", { name: "Voltar para as contas" }),
	).toBeHidden();
	await expect(page.getByText("Para guardar, imprima")).toBeHidden();
});
