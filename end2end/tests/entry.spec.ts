/** `/`: the link, its validation, and its step. */

import type { Request } from "@playwright/test";
import { expect, linkOf, test } from "../support/fixtures.ts";
import {
	consentBox,
	consentButton,
	failureToast,
	mainHeading,
	retryButton,
} from "../support/locators.ts";
import {
	holdRequests,
	waitForHydration,
	waitForPaint,
} from "../support/page.ts";
import { layoutShifts } from "../support/screen-checks.ts";

test("a spinner shows while the token is validated, and nothing is fetched before that", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	const release = client.hold("validate-token");
	const requested: string[] = [];
	page.on("request", (request) =>
		requested.push(new URL(request.url()).pathname),
	);
	await page.goto(linkOf(client), { waitUntil: "commit" });
	await expect(
		page.locator(".loading").getByText("Abrindo o seu link…"),
	).toBeVisible();
	await expect.poll(() => client.calls.length).toBe(1);
	// The font is the only other file. It is requested after the validation.
	await expect
		.poll(() => requested.some((path) => path.endsWith(".woff2")))
		.toBe(true);
	// A busy browser may request the font twice.
	const files = requested.filter((path) =>
		/\.(wasm|js|woff2)$|^\/api/.test(path),
	);
	expect([...new Set(files)]).toEqual([
		"/api/validate_token",
		"/fonts/inter-pt.57e26714.woff2",
	]);
	await expect(page).toHaveURL(linkOf(client));
	release();
	await expect(page).toHaveURL("/integration/widget");
});

test("the step replaces the entry in the same document", async ({
	page,
	newClient,
}) => {
	const documents: string[] = [];
	page.on("request", (request) => {
		if (request.resourceType() === "document")
			documents.push(new URL(request.url()).pathname);
	});
	const client = newClient();
	await page.goto(linkOf(client));
	await expect(page).toHaveURL("/integration/widget");
	await expect(page).toHaveTitle(
		`Autorizar acesso — ${client.data.customer_name}`,
	);
	await expect(mainHeading(page)).toBeFocused();
	await waitForHydration(page);
	expect(documents).toEqual(["/"]);
	// The server renders the same step.
	const parts = (): Promise<string[]> =>
		page.evaluate(() =>
			[...document.body.querySelectorAll("*")]
				.filter(
					(element) =>
						!element.matches(
							"[nonce], script:not([type]), noscript, noscript *",
						),
				)
				.map((element) => `${element.localName}.${element.className}`),
		);
	const inPlace = await parts();
	await page.reload();
	await waitForHydration(page);
	expect(documents).toEqual(["/", "/integration/widget"]);
	expect(await parts()).toEqual(inPlace);
	expect(client.callSequence).toEqual(["POST /validate-token"]);
});

test("the consent appears in its final place on phones of every height", async ({
	page,
	newClient,
}) => {
	// Another test covers the font.
	await page.route("**/*.woff2", () => {});
	for (const [width, height] of [
		[360, 740],
		[390, 844],
		[412, 823],
		[412, 915],
		[430, 932],
	] as const) {
		await page.setViewportSize({ width, height });
		await page.goto(linkOf(newClient()), { waitUntil: "commit" });
		await page.locator('[data-page="consent"]').waitFor();
		await waitForPaint(page);
		expect.soft(await layoutShifts(page), `${width}×${height}`).toEqual([]);
	}
});

test("a first visit is set in Inter, even if the font arrives after the step", async ({
	page,
	newClient,
}) => {
	const sendFont = await holdRequests(page, "**/*.woff2");
	await page.goto(linkOf(newClient()), { waitUntil: "commit" });
	await expect(consentButton(page)).toBeVisible();
	sendFont();
	const devtools = await page.context().newCDPSession(page);
	await devtools.send("DOM.enable");
	await devtools.send("CSS.enable");
	const fonts = async () => {
		const { root } = await devtools.send("DOM.getDocument");
		const { nodeId } = await devtools.send("DOM.querySelector", {
			nodeId: root.nodeId,
			selector: "h1",
		});
		const used = await devtools.send("CSS.getPlatformFontsForNode", { nodeId });
		return used.fonts.map(({ familyName }) => familyName);
	};
	await expect.poll(fonts).toEqual(["Inter"]);
});

test("a validation without a response can be retried, and needs no other file", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(
		/request failed: .* net::ERR_INTERNET_DISCONNECTED/,
		/ERR_INTERNET_DISCONNECTED/,
	);
	const gone = /\/(islands|api)\//;
	await page.route(gone, (route) => route.abort("internetdisconnected"));
	await page.goto(linkOf(newClient()));
	const failed = page.getByRole("heading", {
		level: 1,
		name: "Não conseguimos abrir o seu link agora",
	});
	const again = retryButton(page);
	// A screen reader reads what has the focus, and what helps.
	await expect(failed).toBeFocused();
	await expect(failed).toHaveAccessibleDescription(/^Confira a sua internet/);
	await expect(page).toHaveTitle(
		"Não conseguimos abrir o seu link agora — Vincula",
	);
	await expect(failureToast(page)).toBeVisible();
	const failedAgain = page.waitForEvent("requestfailed");
	await again.press("Enter");
	await failedAgain;
	await expect(again).toHaveAttribute("aria-busy", "false");
	await expect(again).toBeFocused();
	await page.unroute(gone);
	await again.press("Enter");
	await expect(page).toHaveURL("/integration/widget");
	await expect(mainHeading(page)).toBeFocused();
});

test("no header has the token, and the consent that replaced the entry has an origin", async ({
	page,
	newClient,
	baseURL,
}) => {
	const client = newClient();
	const requests: Request[] = [];
	page.on("request", (request) => requests.push(request));
	// The consent is posted by the browser.
	await page.route("**/*.wasm", () => {});
	await page.goto(linkOf(client), { waitUntil: "commit" });
	await consentBox(page).check();
	await consentButton(page).click();
	await expect(page).toHaveURL("/integration/accounts");
	for (const request of requests)
		expect(JSON.stringify(await request.allHeaders())).not.toContain(
			client.token,
		);
	const posted = requests.find(
		(request) =>
			request.method() === "POST" &&
			request.url().endsWith("/integration/widget"),
	);
	expect((await posted?.allHeaders())?.origin).toBe(baseURL);
});

test("afterwards the token is in no URL, history entry or storage", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	await page.goto("/error/token-expired");
	await page.goto(linkOf(client));
	await expect(page).toHaveURL("/integration/widget");
	const [entries, readable] = await page.evaluate(() => {
		const { navigation } = window as unknown as {
			navigation: { entries: () => { url: string }[] };
		};
		const kept = [
			document.documentElement.outerHTML,
			document.cookie,
			document.referrer,
			window.name,
			JSON.stringify(history.state),
			JSON.stringify({ ...localStorage, ...sessionStorage }),
			// The browser's navigation entry keeps the link's URL, and no script can clear it.
			...performance
				.getEntries()
				.flatMap(({ name, entryType }) =>
					entryType === "navigation" ? [] : [name],
				),
		];
		return [
			navigation.entries().map(({ url }) => url),
			kept.join("\n"),
		] as const;
	});
	expect(entries).toHaveLength(2);
	expect(entries.join() + readable).not.toContain(client.token);
	await page.goBack();
	await expect(page).toHaveURL("/error/token-expired");
});
