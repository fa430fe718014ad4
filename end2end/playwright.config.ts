import { existsSync } from "node:fs";
import { defineConfig, firefox, webkit } from "@playwright/test";
import { findChromium } from "./chromium.mjs";
import { DEPLOYED, MAY_WRITE } from "./support/deployed.ts";
import type { Settings } from "./support/fixtures.ts";

const executablePath = await findChromium();
if (executablePath === undefined)
	throw new Error("there is no Chromium: run `make test`");

/** Playwright's builds of other engines, where `npx playwright install webkit firefox` has installed them. */
const OTHER_ENGINES = [webkit, firefox].filter((engine) =>
	existsSync(engine.executablePath()),
);

/** Tests run on the phone. These tags mark tests that depend on the screen's size or need a keyboard. */
const BOTH_SIZES = /@both-sizes/;
const DESKTOP = /@desktop/;

/** The test that ends the client of a deployed product's link, so it runs after all others, if it may. */
const WRITES = /@writes/;
const isLast = DEPLOYED !== undefined;

const PHONE = {
	viewport: { width: 360, height: 740 },
	isMobile: true,
	hasTouch: true,
};

/**
 * Features of the browser that no test needs. The first two open an extra page per window, which costs as
 * much as most tests; the others are Playwright's defaults, which this list replaces.
 */
const NOT_OURS = [
	"WebUIOmniboxPopup",
	"WebUIOmniboxAimPopup",
	"AimEnabled",
	"AvoidCorsURLLoaderRestartOnRedirect",
	"AvoidUnnecessaryBeforeUnloadCheckSync",
	"DestroyProfileOnBrowserClose",
	"HttpsFirstBalancedModeAutoEnable",
	"HttpsUpgrades",
	"LensOverlay",
	"MediaRouter",
	"NetworkTimeServiceQuerying",
	"OptimizationHints",
	"PaintHolding",
	"PreconnectToSearch",
	"ThirdPartyStoragePartitioning",
];

export default defineConfig<Settings>({
	testDir: "tests",
	outputDir: "test-results",
	fullyParallel: true,
	forbidOnly: process.env.CI !== undefined,
	workers: 2,
	// CI retries a failed test once, with a trace. A test that passes on the retry is flaky and still fails the run.
	retries: process.env.CI === undefined ? 0 : 1,
	failOnFlakyTests: true,
	timeout: 40_000,
	expect: { timeout: 10_000 },
	reporter:
		DEPLOYED !== undefined
			? "./support/deployed-report.ts"
			: process.env.CI === undefined
				? "line"
				: "list",
	use: {
		browserName: "chromium",
		locale: "pt-BR",
		timezoneId: "America/Sao_Paulo",
		colorScheme: "light",
		// Without animations there is no need to wait for them. One journey runs with motion.
		contextOptions: { reducedMotion: "reduce" },
		screenshot: "only-on-failure",
		// Tracing every test costs a quarter of the time. For one file: `npx playwright test <file> --trace on`.
		trace: "on-first-retry",
		launchOptions: {
			executablePath,
			args: [
				"--no-sandbox",
				"--disable-gpu",
				"--disable-background-networking",
				"--disable-component-update",
				"--disable-sync",
				"--no-first-run",
				"--disable-quic",
				`--disable-features=${NOT_OURS.join()}`,
			],
		},
	},
	projects: [
		{
			name: "phone",
			use: PHONE,
			grepInvert: isLast ? [DESKTOP, WRITES] : DESKTOP,
		},
		{
			name: "desktop",
			use: { viewport: { width: 1440, height: 900 } },
			grep: [BOTH_SIZES, DESKTOP],
		},
		...(isLast && MAY_WRITE
			? [
					{
						name: "journey",
						use: PHONE,
						grep: WRITES,
						dependencies: ["phone", "desktop"],
					},
				]
			: []),
		...OTHER_ENGINES.map((engine) => ({
			name: engine.name(),
			// Over plain HTTP WebKit keeps only the sandbox's cookie, which has no `Secure`.
			testMatch: "sandbox.spec.ts",
			use: {
				browserName: engine.name() as "webkit" | "firefox",
				launchOptions: {},
			},
		})),
	],
});
