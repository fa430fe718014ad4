import { defineConfig } from '@playwright/test';
import { findChromium } from './chromium.mjs';
import type { Settings } from './fixtures.ts';

const executablePath = await findChromium();
if (executablePath === undefined) throw new Error('there is no Chromium: run `make setup-tests`');

/** Marks a test whose outcome cannot depend on the size of the screen: it runs on the phone only. */
const ANY_SIZE = /@any-size/;

export default defineConfig<Settings>({
  testDir: 'tests',
  // Every screen in every state, size and scheme: `npm run screenshots`, beside the pictures.
  testIgnore: process.env.SCREENSHOTS === undefined ? ['stability.spec.ts', 'themes.spec.ts'] : [],
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  workers: 2,
  // Where nobody watches, a second chance: Playwright names such a test as flaky.
  retries: process.env.CI === undefined ? 0 : 1,
  timeout: 40_000,
  expect: { timeout: 10_000 },
  reporter: process.env.CI === undefined ? 'line' : 'list',
  use: {
    browserName: 'chromium',
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    colorScheme: 'light',
    // Nothing to wait for. One journey runs with motion.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--disable-quic',
      ],
    },
  },
  projects: [
    { name: 'phone', use: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } },
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } }, grepInvert: ANY_SIZE },
  ],
});
