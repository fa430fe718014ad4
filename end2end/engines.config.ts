import { defineConfig, type Project } from '@playwright/test';
import type { EngineOption, Settings } from './engines/fixtures.ts';
import { findFirefox, findWebKit, type Missing } from './engines/installed.ts';

/** The engine's project. If the engine is not installed, CI fails; elsewhere a notice is printed. */
function project(engine: EngineOption['engine'], found: object | Missing): Project<Settings, EngineOption>[] {
  if (!('missing' in found)) return [{ name: engine, use: { engine }, workers: 1 }];
  const words = `${found.missing} is missing`;
  if (process.env.CI !== undefined) throw new Error(`${words}: make setup-tests installs it`);
  // Each worker evaluates this file again.
  if (process.env.TEST_WORKER_INDEX === undefined) console.log(`No tests in ${engine}: ${words}.`);
  return [];
}

export default defineConfig<Settings, EngineOption>({
  testDir: 'engines',
  outputDir: 'test-results/engines',
  forbidOnly: process.env.CI !== undefined,
  // One browser for each engine, in parallel.
  fullyParallel: false,
  workers: 2,
  retries: process.env.CI === undefined ? 0 : 1,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: process.env.CI === undefined ? 'line' : 'list',
  projects: [...project('webkit', findWebKit()), ...project('firefox', findFirefox())],
});
