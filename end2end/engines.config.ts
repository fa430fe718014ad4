import { defineConfig } from '@playwright/test';
import { type Engine, programsOf } from './engines/browsers.ts';
import type { EngineOption } from './engines/fixtures.ts';

/** If an engine is not installed, CI fails; elsewhere a notice is printed. */
const ENGINES = (['webkit', 'firefox'] satisfies Engine[]).filter((engine) => {
  try {
    return programsOf(engine);
  } catch (error) {
    if (process.env.CI !== undefined) throw error;
    // Each worker evaluates this file again.
    if (process.env.TEST_WORKER_INDEX === undefined) console.log(`No tests in ${engine}: ${error}.`);
    return false;
  }
});

export default defineConfig<object, EngineOption>({
  testDir: 'engines',
  outputDir: 'test-results/engines',
  forbidOnly: process.env.CI !== undefined,
  // One browser for each engine, in parallel.
  fullyParallel: false,
  workers: 2,
  // As in playwright.config.ts.
  retries: process.env.CI === undefined ? 0 : 1,
  failOnFlakyTests: true,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: process.env.CI === undefined ? 'line' : 'list',
  projects: ENGINES.map((engine) => ({ name: engine, use: { engine }, workers: 1 })),
});
