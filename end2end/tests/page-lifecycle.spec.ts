/** Prerendered pages, pages that have been left, stalled navigations, and a server that is down. */
import type { Page, Request } from "@playwright/test";
import { expect, linkOf, test } from "../support/fixtures.ts";
import { anotherAccountLink, consentBox } from "../support/locators.ts";
import { installClock, waitForPaint } from "../support/page.ts";
import { startProduction } from "../support/servers.ts";
import { arriveAtConnect, cancelEverything } from "../support/steps.ts";

function countRequests(page: Page, urlPart: string): () => number {
	const seen: Request[] = [];
	page.on("request", (request) => {
		if (request.url().includes(urlPart)) seen.push(request);
	});
	return () => seen.length;
}

test("a prerendered link uses up no token before it is visible", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	await page.addInitScript(() => {
		Object.defineProperty(document, "prerendering", {
			configurable: true,
			value: location.pathname === "/",
		});
	});
	const made = countRequests(page, "/api/validate_token");
	await page.goto(linkOf(client), { waitUntil: "commit" });
	await expect(
		page.getByRole("heading", { name: "Abrindo o seu link…" }),
	).toBeAttached();
	expect(made()).toBe(0);
	await page.evaluate(() =>
		document.dispatchEvent(new Event("prerenderingchange")),
	);
	await expect(page).toHaveURL("/integration/widget");
	expect(client.requestsOf("validate-token")).toHaveLength(1);
});

test("a success call whose response comes after its page was left undoes nothing", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	const release = client.hold("success");
	const frame = await arriveAtConnect(page, client);
	await frame.getByRole("button", { name: "Continuar" }).click();
	await expect(page).toHaveURL("/integration/success");
	await expect.poll(() => client.requestsOf("success").length).toBe(1);
	await anotherAccountLink(page).click();
	await page.goto("/cancel/confirm");
	await cancelEverything(page);
	release();
	await page.reload();
	await expect(page).toHaveURL("/cancel/success");
	await page.goto("/integration/widget");
	await expect(consentBox(page)).toBeVisible();
});

test("a press works again eight seconds after a navigation that has stalled", async ({
	page,
	newClient,
}) => {
	const client = newClient({ widget_type: "cancel" });
	await installClock(page);
	await page.goto(linkOf(client));
	let stalled = true;
	// On a response without content (204) the browser stays on the page.
	await page.route("/cancel/success", (route) =>
		stalled ? route.fulfill({ status: 204 }) : route.fallback(),
	);
	const cancel = page.getByRole("button", { name: "Cancelar todas" });
	const leaves = page.waitForRequest(/\/cancel\/success$/);
	await cancel.click();
	await leaves;
	await expect(cancel).toHaveAttribute("aria-busy", "true");
	await page.clock.runFor(8000);
	await expect(cancel).toHaveAttribute("aria-busy", "false");
	stalled = false;
	await cancel.click();
	await expect(page).toHaveURL("/cancel/success");
});

test("a server killed during a validation leads to one message", async ({
	page,
	upstream,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE/);
	const program = await startProduction(upstream.url);
	const client = newClient();
	const release = client.hold("validate-token");
	await page.goto(program.url + linkOf(client), { waitUntil: "commit" });
	await expect.poll(() => client.requestsOf("validate-token").length).toBe(1);
	await program.kill();
	release();
	const title = page.getByRole("heading", {
		level: 1,
		name: "Não conseguimos abrir o seu link agora",
	});
	await expect(title, "so that screen readers read what failed").toBeFocused();
	await expect(title, "and why").toHaveAccessibleDescription(
		"Confira a sua internet, aguarde alguns segundos e tente de novo.",
	);
	await expect(page.locator(".card:visible")).toHaveCount(1);
});

test("the side image is fetched only where it is shown", {
	tag: ["@deployed", "@both-sizes"],
}, async ({ page, isMobile }) => {
	const fetched = countRequests(page, "/illustrations/");
	await page.goto("/error/token-expired");
	if (!isMobile) return expect.poll(fetched).toBe(1);
	// It would be loaded when it comes into view.
	await page.mouse.wheel(0, 10_000);
	await waitForPaint(page);
	expect(fetched()).toBe(0);
});
