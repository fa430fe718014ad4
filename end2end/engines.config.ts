import { defineConfig } from "@playwright/test";
import { type Engine, programsOf } from "./engines/browsers.ts";
import type { EngineOption } from "./engines/fixtures.ts";

/** Returns whether an engine is installed. If not, it throws in CI, and prints a notice elsewhere. */
function isInstalled(engine: string, find: () => unknown): boolean {
	try {
		find();
		return true;
	} catch (error) {
		if (process.env.CI !== undefined) throw error;
		// Each worker evaluates this file again.
		if (process.env.TEST_WORKER_INDEX === undefined)
			console.log(`No tests in ${engine}: ${error}.`);
		return false;
	}
}

const ENGINES = (["webkit", "firefox"] satisfies Engine[]).filter((engine) =>
	isInstalled(engine, () => programsOf(engine)),
);

export default defineConfig<object, EngineOption>({
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
	projects: ENGINES.map((engine) => ({
		name: engine,
		use: { engine },
		workers: 1,
	})),
});
