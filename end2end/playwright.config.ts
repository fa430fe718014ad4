import { existsSync } from "node:fs";
import { defineConfig, firefox, type Project, webkit } from "@playwright/test";
import { findChromium } from "./chromium.mjs";
import { DEPLOYED, MAY_WRITE } from "./support/deployed.ts";
import type { Settings } from "./support/fixtures.ts";

const isCi = process.env.CI !== undefined;
const chromium = await findChromium();

const PHONE = {
	viewport: { width: 360, height: 740 },
	isMobile: true,
	hasTouch: true,
};

const DESKTOP = { viewport: { width: 1440, height: 900 } };

/** Tests run on the phone. Tags mark those that depend on the screen's size or need a keyboard. */
const localProjects: Project<Settings>[] = [
	{ name: "phone", use: PHONE, grepInvert: /@desktop/ },
	{ name: "desktop", use: DESKTOP, grep: /@both-sizes|@desktop/ },
];

/** Playwright's builds of other engines, where `npx playwright install webkit firefox` has installed them. */
const otherEngines: Project<Settings>[] = [webkit, firefox]
	.filter((engine) => existsSync(engine.executablePath()))
	.map((engine) => ({
		name: engine.name(),
		// Over plain HTTP WebKit keeps only the sandbox's cookie, which has no `Secure`.
		testMatch: "sandbox.spec.ts",
		use: {
			browserName: engine.name() as "webkit" | "firefox",
			launchOptions: {},
		},
	}));

/** On a deployed product the test with `@writes` uses up the link, so it runs last, if it may. */
const deployedProjects: Project<Settings>[] = [
	{
		name: "phone",
		use: PHONE,
		grep: /@deployed/,
		grepInvert: /@desktop|@writes/,
	},
	{
		name: "desktop",
		use: DESKTOP,
		grep: /(?=.*@deployed)(?=.*(@both-sizes|@desktop))/,
		grepInvert: /@writes/,
	},
	...(MAY_WRITE
		? [
				{
					name: "journey",
					use: PHONE,
					grep: /@writes/,
					dependencies: ["phone", "desktop"],
				},
			]
		: []),
];

/**
 * Features of the browser that no test needs. The first two open an extra page per window, which costs as
 * much as most tests; the others are Playwright's defaults on Linux and macOS, which this list replaces.
 */
const UNUSED_FEATURES = [
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
	forbidOnly: isCi,
	workers: 2,
	// CI retries a failed test once. A test that passes on the retry is flaky and still fails the run.
	retries: isCi ? 1 : 0,
	failOnFlakyTests: true,
	timeout: 40_000,
	expect: { timeout: 10_000 },
	reporter: [
		[isCi ? "list" : "line"],
		["html", { open: "never" }],
		...(isCi
			? ([["junit", { outputFile: "test-results/junit.xml" }]] as const)
			: []),
	],
	use: {
		browserName: "chromium",
		locale: "pt-BR",
		timezoneId: "America/Sao_Paulo",
		colorScheme: "light",
		// Without animations there is no need to wait for them. One journey runs with motion.
		contextOptions: { reducedMotion: "reduce" },
		screenshot: "only-on-failure",
		trace: "retain-on-failure",
		launchOptions: {
			// Without a path, Playwright starts its own Chromium, or says how to install it.
			...(chromium === undefined ? {} : { executablePath: chromium }),
			args: [
				"--disable-gpu",
				"--disable-quic",
				`--disable-features=${UNUSED_FEATURES.join()}`,
			],
		},
	},
	projects:
		DEPLOYED === undefined
			? [...localProjects, ...otherEngines]
			: deployedProjects,
});
