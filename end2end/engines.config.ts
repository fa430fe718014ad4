import { defineConfig } from "@playwright/test";
import { ENGINES, type Engine, programsOf } from "./engines/browser.ts";

const isInstalled = (engine: Engine): boolean =>
	programsOf(engine) !== undefined;

const missing = ENGINES.filter((engine) => !isInstalled(engine));
if (missing.length > 0) {
	const notice = `No tests in ${missing.join(" and ")}: not installed.`;
	if (process.env.CI !== undefined) throw new Error(notice);
	// Each worker evaluates this file again.
	if (process.env.TEST_WORKER_INDEX === undefined) console.log(notice);
}

export default defineConfig<object, { engine: Engine }>({
	testDir: "engines",
	outputDir: "test-results/engines",
	forbidOnly: process.env.CI !== undefined,
	// One browser for each engine, in parallel.
	fullyParallel: false,
	workers: 2,
	// As in playwright.config.ts.
	retries: process.env.CI === undefined ? 0 : 1,
	failOnFlakyTests: true,
	timeout: 120_000,
	expect: { timeout: 30_000 },
	reporter: process.env.CI === undefined ? "line" : "list",
	projects: ENGINES.filter(isInstalled).map((engine) => ({
		name: engine,
		use: { engine },
		workers: 1,
	})),
});
