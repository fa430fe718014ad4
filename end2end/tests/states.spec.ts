/**
 * Every screen in its states (`support/states.ts`): axe finds nothing, everything fits, targets can be hit, and nothing jumps.
 * `make states` also leaves a report with pictures of them.
 */
import { fileURLToPath } from "node:url";
import type { Page, TestInfo } from "@playwright/test";
import { test as base, expect } from "../support/fixtures.ts";
import { retryButton } from "../support/locators.ts";
import { enlargeText, holdRequests, waitForPaint } from "../support/page.ts";
import {
	axeFindings,
	englishWords,
	hiddenLiveRegions,
	invisibleInForcedColors,
	isHeaderVisible,
	layoutShifts,
	longAnimations,
	overlappingTargets,
	smallText,
	smallTitles,
	unreachableTargets,
	widerThanScreen,
} from "../support/screen-checks.ts";
import { startProduction } from "../support/servers.ts";
import { type Screen, STATES } from "../support/states.ts";

/** Whether to attach pictures to the report. */
const PICTURES = process.env.PICTURES !== undefined;
/** A phone, a tablet, a desktop. */
const SIZES = [
	{ width: 360, height: 740 },
	{ width: 768, height: 1024 },
	{ width: 1440, height: 900 },
];
const THEMES = ["light", "dark"] as const;
const MIN_TARGET_PX = 44;
const BRANDS_DIR = fileURLToPath(
	new URL("../../deploy/brands-example", import.meta.url),
);

const test = base.extend({
	production: [
		async ({ upstream }, use) => {
			const program = await startProduction(upstream.url, { BRANDS_DIR });
			await use(program);
			await program.stop();
		},
		{ scope: "worker" },
	],
});

test.use({ withConnect: true });
// axe is slow on a busy machine.
test.describe.configure({ timeout: 90_000 });

for (const { name, screen, moves, reach } of STATES) {
	test(
		name,
		{ tag: screen ? "@both-sizes" : [] },
		async ({ page, newClient, browserErrors, isMobile }, testInfo) => {
			await test.step("Reach the state", async () => {
				const open = (path: string) => openSlowly(page, path);
				const shown = await reach({ page, newClient, open, browserErrors });
				await expect(shown).toBeVisible();
				await keepToasts(page);
				await waitForPaint(page);
			});
			if (PICTURES && isMobile) await takePictures(page, testInfo);

			if (moves === undefined)
				await test.step("Nothing has moved", async () =>
					expectNone(await layoutShifts(page), "layout shifts"));
			if (screen)
				await test.step("Title, heading, header and image", () =>
					expectScreen(page, screen, isMobile));
			await test.step("Accessibility, language and size", async () => {
				expectNone(await englishWords(page), "English");
				expectNone(await axeFindings(page), "axe");
				expectNone(await hiddenLiveRegions(page), "hidden live regions");
				expectNone(await longAnimations(page), "motion");
				expectNone(await smallText(page), "small text");
			});
			await test.step("Targets", async () => {
				expectNone(
					await unreachableTargets(page, MIN_TARGET_PX),
					"small or covered targets",
				);
				expectNone(await overlappingTargets(page), "overlapping targets");
			});
			// One width is enough for the rest.
			if (!isMobile) return;
			await test.step("Dark and forced colours", async () => {
				await page.emulateMedia({ colorScheme: "dark" });
				expectNone(
					await axeFindings(page, "color-contrast"),
					"axe in the dark",
				);
				await page.emulateMedia({ forcedColors: "active" });
				expectNone(await invisibleInForcedColors(page), "in forced colours");
				await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
			});
			await test.step("Large text, narrow windows and zoom", () =>
				expectToFit(page));
			if (await retryButton(page).isVisible())
				await test.step("The focus after retries", () =>
					expectFocusAfterRetries(page));
		},
	);
}

/** Expects that a check has found nothing. If it has, the test fails at its end. */
function expectNone(found: readonly string[], what: string): void {
	expect.soft(found, what).toEqual([]);
}

/**
 * Opens a page as on a very slow network: it is painted long before fonts, images and scripts arrive, and its islands work
 * before data arrives.
 */
async function openSlowly(page: Page, path: string): Promise<void> {
	const sendFonts = await holdRequests(page, /\.woff2$/);
	const sendFiles = await holdRequests(page, /\.(js|wasm|svg|png)$/);
	await page.goto(path, { waitUntil: "commit" });
	await page.waitForFunction(
		() => performance.getEntriesByName("first-contentful-paint").length > 0,
	);
	sendFonts();
	await page.evaluate(() => document.fonts.load("1em Inter"));
	await waitForPaint(page);
	sendFiles();
	const ready = [
		"body:is([data-islands=alive], [data-islands=failed])",
		"body:not(:has(leptos-island, [data-react]))",
		"#islands-failed:not([hidden])",
	];
	await page.locator(ready.join()).first().waitFor();
}

/** Keeps the toasts, as if the pointer were on each. */
function keepToasts(page: Page): Promise<void> {
	return page.locator(".toast").evaluateAll((toasts) => {
		for (const toast of toasts) Object.assign(toast, { matches: () => true });
	});
}

async function expectScreen(
	page: Page,
	{ title, image, focusesHeading = false }: Screen,
	isMobile: boolean,
): Promise<void> {
	await expect(page).toHaveTitle(new RegExp(`^${title} — `));
	// Connect's dialog covers it.
	const heading = page.locator("h1:not([hidden] *)");
	await expect(heading).toHaveCount(1);
	if (focusesHeading) await expect(heading).toBeFocused();
	await expect(page.getByRole("banner")).toHaveCount(
		image === undefined ? 0 : 1,
	);
	expect(await isHeaderVisible(page), "header").toBe(image !== undefined);
	const pictures = page.locator("aside img");
	await expect(pictures).toHaveCount(image === undefined ? 0 : 1);
	if (image === undefined) return;
	await expect(pictures).toHaveAttribute(
		"src",
		new RegExp(`/illustrations/${image}\\.`),
	);
	await expect(pictures).toBeVisible({ visible: !isMobile });
}

/** Expects that nothing is wider than the window, and that every target can be reached, also with large text and zoom. */
async function expectToFit(page: Page): Promise<void> {
	for (const percent of [100, 150, 200]) {
		await enlargeText(page, percent);
		for (const width of percent === 100 ? [1440, 768, 360] : [768, 550, 360]) {
			await page.setViewportSize({ width, height: 740 });
			await expect(page.locator("html")).toHaveCSS(
				"font-size",
				`${(16 * percent) / 100}px`,
			);
			const size = `${width} px with text at ${percent} %`;
			expectNone(await widerThanScreen(page), `wider than ${size}`);
		}
	}
	// On the phone.
	const large = "with text at 200 %";
	expectNone(await unreachableTargets(page, 1), `out of reach ${large}`);
	expectNone(await smallTitles(page), `titles smaller than text ${large}`);
	await enlargeText(page, 100);
	// The size of a 1280×1024 window at 400 % zoom.
	await page.setViewportSize({ width: 320, height: 256 });
	expectNone(await widerThanScreen(page), "wider than 320 px");
	expectNone(await unreachableTargets(page, 1), "out of reach at 320×256");
}

/** Retries the failed call twice, and expects that the focus is never lost. */
async function expectFocusAfterRetries(page: Page): Promise<void> {
	for (const what of ["the first time", "once more"]) {
		await retryButton(page).press("Enter");
		await waitForPaint(page);
		expect
			.soft(await focused(page), `the focus after the press, ${what}`)
			.not.toBe("body");
		await expect(retryButton(page)).not.toHaveAttribute("aria-busy", "true");
		await waitForPaint(page);
		expect
			.soft(await focused(page), `the focus after the answer, ${what}`)
			.not.toBe("body");
	}
}

function focused(page: Page): Promise<string> {
	return page.evaluate(() => document.activeElement?.localName ?? "body");
}

/** Attaches pictures of a state in each size and theme, and restores the window. */
async function takePictures(page: Page, testInfo: TestInfo): Promise<void> {
	const before = page.viewportSize();
	for (const theme of THEMES) {
		await page.emulateMedia({ colorScheme: theme });
		for (const size of SIZES) {
			await page.setViewportSize(size);
			await waitForPaint(page);
			await testInfo.attach(`${size.width} px, ${theme}`, {
				body: await page.screenshot({ fullPage: true }),
				contentType: "image/png",
			});
		}
	}
	await page.emulateMedia({ colorScheme: "light" });
	if (before) await page.setViewportSize(before);
	await waitForPaint(page);
}
