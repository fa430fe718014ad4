/** Colours, sizes, fonts, brands and motion of single screens. Rules for all screens: `states.spec.ts`. */
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "@playwright/test";
import { demoLink, expect, linkOf, test } from "../support/fixtures.ts";
import {
	accountRow,
	bankField,
	cancelAllButton,
	connectFrame,
	consentBox,
	consentButton,
	failureToast,
	mainHeading,
	newBankLink,
	nextButton,
} from "../support/locators.ts";
import { boxOf, enlargeText, waitForHydration } from "../support/page.ts";
import { startSandbox } from "../support/servers.ts";
import {
	arriveAtAccounts,
	arriveAtBankForm,
	arriveAtConnect,
	arriveAtUpdate,
	arriveBeforeConnect,
	giveConsent,
	startSession,
} from "../support/steps.ts";
import { ACCOUNTS, FIRM } from "../support/widget-api.ts";

const BRANDS_DIR = fileURLToPath(
	new URL("../../deploy/brands-example", import.meta.url),
);

const background = (of: Locator) =>
	of.evaluate((element) => getComputedStyle(element).backgroundColor);

test("the widget and update routes lie on the primary colour, set in Inter", async ({
	page,
	newClient,
}) => {
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.goto("/error/token-expired");
	expect(
		await page
			.locator("body")
			.evaluate((body) => getComputedStyle(body).fontFamily),
	).toMatch(/^"?Inter/);
	await expect
		.poll(() => page.evaluate(() => document.fonts.check("16px Inter")))
		.toBe(true);
	const [primary, plain] = [
		await background(page.locator("aside")),
		await background(page.locator("body")),
	];
	expect(primary).not.toBe(plain);
	await page.goto(linkOf(newClient()));
	await expect(page).toHaveURL("/integration/widget");
	expect(await background(page.locator("body"))).toBe(primary);
	await arriveAtUpdate(page, newClient({ widget_type: "update" }));
	expect(await background(page.locator("body"))).toBe(primary);
});

test("the side image is hidden below 1154 pixels", {
	tag: "@deployed",
}, async ({ page }) => {
	await page.goto("/error/token-expired");
	for (const width of [1154, 1153]) {
		await page.setViewportSize({ width, height: 800 });
		await expect(page.locator("aside")).toBeVisible({
			visible: width === 1154,
		});
	}
});

test("the layout changes at 1154, 850, 550 and 500 pixels", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	client.accounts = ACCOUNTS;
	await arriveAtAccounts(page, client);
	const styleAt = async (width: number, of: string, property: string) => {
		await page.setViewportSize({ width, height: 800 });
		return page
			.locator(of)
			.first()
			.evaluate(
				(element, name) => getComputedStyle(element).getPropertyValue(name),
				property,
			);
	};
	await expect(
		page.getByRole("cell", { name: ACCOUNTS[0].number }),
	).toBeVisible();
	for (const [width, of, property] of [
		[1154, ".page", "grid-template-areas"],
		[850, "h1", "font-size"],
		[550, ".accounts td", "display"],
	] as const) {
		const from = await styleAt(width, of, property);
		expect(
			await styleAt(width - 1, of, property),
			`${property} of ${of} below ${width} pixels`,
		).not.toBe(from);
		expect(
			await styleAt(width + 1, of, property),
			`${property} of ${of} above ${width} pixels`,
		).toBe(from);
	}
	// 359 is for the narrowest phones. Upper limits are just below the next pixel.
	expect(await breakpoints(page)).toEqual([359, 500, 550, 850, 1154]);
});

/** The widths in all media conditions of the page's style sheets, in pixels. */
function breakpoints(page: Page): Promise<number[]> {
	return page.evaluate(() => {
		const conditions: string[] = [];
		const collect = (rules: CSSRuleList): void => {
			for (const rule of rules) {
				if (rule instanceof CSSMediaRule) conditions.push(rule.conditionText);
				if (rule instanceof CSSGroupingRule) collect(rule.cssRules);
			}
		};
		for (const sheet of document.styleSheets) collect(sheet.cssRules);
		const widths = conditions.flatMap((condition) => [
			...condition.matchAll(/width[^()]*?([\d.]+)(px|em)/g),
		]);
		const inPixels = widths.map(([, width, unit]) =>
			Math.round(Number(width) * (unit === "em" ? 16 : 1)),
		);
		return [...new Set(inPixels)].sort((one, other) => one - other);
	});
}

test("the firm is at the same height on every step", {
	tag: "@both-sizes",
}, async ({ page, newClient, isMobile }) => {
	const sign = page.locator(".brand__monogram");
	const client = newClient();
	client.hold("connect-token");
	await page.goto(linkOf(client));
	const heights = [(await boxOf(sign)).y];
	await giveConsent(page);
	for (const path of ["/integration/accounts", "/integration/select-bank"]) {
		await page.goto(path);
		heights.push((await boxOf(sign)).y);
	}
	await arriveBeforeConnect(page, client);
	heights.push((await boxOf(sign)).y);
	const height = isMobile ? 12 : 16;
	expect(heights).toEqual([height, height, height, height]);
});

test("the widget is 320×568, also with large text, and fills a phone’s screen", async ({
	page,
	newClient,
}) => {
	await page.setViewportSize({ width: 1440, height: 740 });
	await arriveAtConnect(page, newClient());
	const frame = connectFrame(page).owner();
	const place = page.locator(".connect__frame");
	await enlargeText(page, 200);
	expect(await place.boundingBox()).toMatchObject({ width: 320, height: 568 });
	await enlargeText(page, 100);
	for (const [screen, width, height] of [
		[1440, 320, 568],
		[501, 320, 568],
		// The SDK's own rule includes 500.
		[500, 500, 740],
		[499, 499, 740],
		[360, 360, 740],
	] as const) {
		await page.setViewportSize({ width: screen, height: 740 });
		const size = async () => {
			const box = await boxOf(frame);
			return [Math.round(box.width), Math.round(box.height)];
		};
		await expect.poll(size, `in ${screen} pixels`).toEqual([width, height]);
	}
});

test("the ring of a spinner keeps its gap in forced colours", async ({
	page,
	newClient,
}) => {
	await page.emulateMedia({
		forcedColors: "active",
		reducedMotion: "no-preference",
	});
	const client = newClient();
	const gapOf = (spinner: string) =>
		page.locator(spinner).evaluate((element) => {
			const { borderTopColor, borderLeftColor } = getComputedStyle(element);
			return borderTopColor !== borderLeftColor;
		});
	const validated = client.hold("validate-token");
	await page.goto(linkOf(client), { waitUntil: "commit" });
	await expect(page.locator(".spinner")).toBeVisible();
	expect(await gapOf(".spinner")).toBe(true);
	validated();
	await waitForHydration(page);
	const authorized = client.hold("authorize-customer");
	await consentBox(page).check();
	await consentButton(page).click();
	await expect(page.locator(".button__spinner")).toBeVisible();
	expect(await gapOf(".button__spinner")).toBe(true);
	authorized();
	// A page that is navigating can prevent the browser from closing it.
	await expect(page).toHaveURL("/integration/accounts");
});

test("a firm has its own brand, and pages without a session have the deployment's", async ({
	page,
}) => {
	const program = await startSandbox({ BRANDS_DIR });
	for (const { path, primary, bars } of [
		{
			path: "/error/token-expired",
			primary: { light: "#7a4a00", dark: "#623c00" },
			bars: ["#faf8f4", "#10181b"],
		},
		{
			path: demoLink("demo-novo"),
			primary: { light: "#5b1a3a", dark: "#49152f" },
			bars: ["#5b1a3a", "#49152f"],
		},
	]) {
		await page.goto(program.url + path);
		const logo = page.locator(".brand__logo").first();
		await expect
			.poll(() =>
				logo.evaluate((image: HTMLImageElement) => image.naturalWidth),
			)
			.toBeGreaterThan(0);
		const shown = () =>
			page.evaluate(() =>
				getComputedStyle(document.documentElement).getPropertyValue(
					"--color-primary",
				),
			);
		const shownBars = page
			.locator('meta[name="theme-color"]')
			.evaluateAll((all) => all.map((meta) => meta.getAttribute("content")));
		await expect.poll(shown).toBe(primary.light);
		expect(await shownBars).toEqual(bars);
		await page.emulateMedia({ colorScheme: "dark" });
		expect(await shown()).toBe(primary.dark);
		await page.emulateMedia({ colorScheme: "light" });
	}
	await program.stop();
});

/** The red, green and blue of an element's background. */
async function channels(of: Locator): Promise<[number, number, number]> {
	const [red = 0, green = 0, blue = 0] =
		(await background(of)).match(/[\d.]+/g)?.map(Number) ?? [];
	return [red, green, blue];
}

test("the button that cancels everything is red in both colour schemes", async ({
	page,
	newClient,
}) => {
	await page.goto(linkOf(newClient({ widget_type: "cancel" })));
	const button = cancelAllButton(page);
	for (const colorScheme of ["light", "dark"] as const) {
		await page.emulateMedia({ colorScheme });
		await expect(button).toBeVisible();
		const [red, green, blue] = await channels(button);
		expect(red, colorScheme).toBeGreaterThan(2 * Math.max(green, blue));
	}
});

test("a toast is red, and above the title, also with large text", {
	tag: "@both-sizes",
}, async ({ page, newClient, browserErrors }) => {
	browserErrors.expect(/status of 500 .*cancel_integrations/);
	const client = newClient({ widget_type: "cancel" });
	await page.goto(linkOf(client.respond("cancel-integrations", "drop")));
	await cancelAllButton(page).click();
	await failureToast(page).hover();
	const [red, green, blue] = await channels(page.locator(".toast"));
	expect(red).toBeGreaterThan(2 * Math.max(green, blue));
	for (const percent of [100, 200]) {
		await enlargeText(page, percent);
		const toasts = await boxOf(page.locator("#toasts"));
		const heading = await boxOf(mainHeading(page));
		expect(toasts.bottom, `${percent} %`).toBeLessThanOrEqual(heading.y);
	}
});

test("in each width titles with something above are in one place, and nothing is wider than its column", {
	tag: "@desktop",
}, async ({ page, newClient }) => {
	const client = newClient();
	client.accounts = ACCOUNTS;
	await startSession(page, client, "linked");
	const places = new Map<string, Set<string>>();
	for (const path of [
		"/integration/accounts",
		"/cancel/confirm",
		"/integration/select-bank",
		"/integration/success",
		"/error/token-expired",
		"/acessibilidade",
	])
		await test.step(path, async () => {
			await page.setViewportSize({ width: 1440, height: 900 });
			await page.goto(path);
			await expect(mainHeading(page)).toBeVisible();
			// A list that loads must not move a visible footer.
			const footer = page.locator("footer");
			if (path === "/error/token-expired")
				await expect(footer).toBeInViewport();
			if (["/integration/accounts", "/cancel/confirm"].includes(path))
				await expect(footer, path).not.toBeInViewport();
			await expect(page.locator("aside")).not.toContainText(FIRM);
			for (const width of [360, 550, 768, 850, 1154, 1440, 1920]) {
				await page.setViewportSize({ width, height: 900 });
				const heading = await boxOf(mainHeading(page));
				const note = await boxOf(page.locator(".page__footer p").first());
				expect(note.x, `the footer in ${width} pixels`).toBe(heading.x);
				expect(await widerThanColumn(page), `in ${width} pixels`).toEqual([]);
				const above = await mainHeading(page).evaluate((one) => {
					if (one.matches(".outcome > *")) return "below a mark";
					return one.matches(".step > :first-child") ? "first" : "other";
				});
				const place = `${Math.round(heading.x)},${Math.round(heading.y)}`;
				const group = `${above} in ${width} pixels`;
				const earlier = places.get(group) ?? [];
				places.set(group, new Set([...earlier, place]));
			}
		});
	for (const [group, all] of places)
		expect([...all], `titles that are ${group}`).toHaveLength(1);
});

/** Elements that are wider than the column of their page. */
function widerThanColumn(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const header = document.querySelector(".page__header");
		if (header === null) return ["no header"];
		const { right } = header.getBoundingClientRect();
		const padding = Number.parseFloat(getComputedStyle(header).paddingRight);
		return [...document.querySelectorAll("main *")]
			.filter((one) => one.getBoundingClientRect().right > right - padding + 1)
			.map((one) => one.outerHTML.slice(0, 100));
	});
}

test("a busy button keeps its size, with its spinner 12 pixels from the text", {
	tag: "@both-sizes",
}, async ({ page, newClient }) => {
	const client = newClient();
	const release = client.hold("authorize-customer");
	await page.goto(linkOf(client));
	await consentBox(page).check();
	const button = consentButton(page);
	const { width, height } = await boxOf(button);
	await button.click();
	await expect(button).toHaveAttribute("aria-busy", "true");
	const busy = await boxOf(button);
	expect(busy).toMatchObject({ width, height });
	const spinner = await boxOf(button.locator(".button__spinner"));
	const label = await boxOf(button.locator(".button__label"));
	expect(label.x - spinner.right).toBeCloseTo(12, 0);
	const [left, right] = [spinner.x - busy.x, busy.right - label.right];
	expect(left, "the same space at both sides").toBeCloseTo(right, 0);
	release();
	await expect(page).toHaveURL("/integration/accounts");
});

test("on a phone an account is three lines, and branch and number share one", async ({
	page,
	newClient,
}) => {
	const client = newClient();
	client.accounts = [ACCOUNTS[0]];
	await arriveAtAccounts(page, client);
	const cell = (text: string) => page.getByRole("cell", { name: text });
	const branch = await boxOf(cell(ACCOUNTS[0].agency));
	const number = await boxOf(cell(ACCOUNTS[0].number));
	const name = await boxOf(cell(ACCOUNTS[0].name));
	expect(branch.y).toBe(number.y);
	expect(name.y).toBeGreaterThan(number.y);
	const row = await boxOf(accountRow(page, ACCOUNTS[0]));
	expect(row.height).toBeLessThanOrEqual(115);
	expect(
		await cell(ACCOUNTS[0].agency).evaluate(
			(one) => getComputedStyle(one, "::before").content,
		),
		"the headings stay as labels",
	).toContain("Agência");
});

test("the cancellation’s list is as high from the start as two accounts", async ({
	page,
	newClient,
}) => {
	const client = newClient({ widget_type: "cancel" });
	client.accounts = ACCOUNTS.slice(0, 2);
	await startSession(page, client, "entered");
	const release = client.hold("list-accounts");
	await page.goto("/cancel/confirm");
	const list = page.locator(".cancel-list");
	await expect(list).toContainText("Carregando");
	const { height } = await boxOf(list);
	release();
	await expect(list).toContainText(ACCOUNTS[0].number);
	expect((await boxOf(list)).height).toBe(height);
	await expect(cancelAllButton(page)).toBeInViewport({ ratio: 1 });
});

test("in the dark scheme an empty box has the page’s colour, and initials an edge", async ({
	page,
	newClient,
}) => {
	await page.emulateMedia({ colorScheme: "dark" });
	await page.goto(linkOf(newClient()));
	const box = consentBox(page);
	await expect(box).toHaveCSS("appearance", "none");
	await expect(box).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
	const edge = await page
		.locator(".brand__monogram")
		.first()
		.evaluate((one) => getComputedStyle(one).borderTopColor);
	expect(edge).toBe(
		await box.evaluate((one) => getComputedStyle(one).borderTopColor),
	);
	await box.check();
	await expect(box).toHaveCSS("appearance", "auto");
});

test("the focus ring of an invalid field leaves its red border visible", async ({
	page,
	newClient,
}) => {
	await arriveAtBankForm(page, newClient());
	await nextButton(page).click();
	const field = bankField(page);
	await expect(field).toBeFocused();
	await expect(field).toHaveCSS("outline-offset", "2px");
	const red = await page
		.locator(".field__error")
		.first()
		.evaluate((error) => getComputedStyle(error).color);
	await expect(field).toHaveCSS("border-top-color", red);
});

test.describe("with motion", () => {
	// All other tests run with reduced motion.
	test.use({ contextOptions: { reducedMotion: "no-preference" } });

	test("a spinner turns, and the way to the bank form and back works", async ({
		page,
		newClient,
	}) => {
		const client = newClient();
		const release = client.hold("list-accounts");
		await arriveAtAccounts(page, client);
		await expect
			.poll(() => page.evaluate(() => document.getAnimations().length))
			.toBeGreaterThan(0);
		release();
		await newBankLink(page).click();
		await expect(bankField(page)).toBeEditable();
		await page.goBack();
		await expect(page).toHaveURL("/integration/accounts");
		await waitForHydration(page);
	});
});

test("the success prints black on white and without controls", async ({
	page,
	newClient,
}) => {
	await startSession(page, newClient(), "linked");
	await page.goto("/integration/success");
	await page.emulateMedia({ media: "print", colorScheme: "dark" });
	const heading = mainHeading(page);
	await expect(heading).toBeVisible();
	const colors = await heading.evaluate((element) => [
		getComputedStyle(element).color,
		getComputedStyle(document.body).backgroundColor,
		getComputedStyle(document.documentElement).colorScheme,
	]);
	expect(colors).toEqual(["rgb(0, 0, 0)", "rgba(0, 0, 0, 0)", "light"]);
	for (const fact of ["Banco conectado", "Autorizado em", "Como cancelar"])
		await expect(page.getByText(fact)).toHaveCSS("color", "rgb(0, 0, 0)");
	await expect(page.getByRole("button")).toHaveCount(0);
});
