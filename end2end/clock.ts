/** The page's time in the test's hands. */
import type { Page } from '@playwright/test';

/** To be called before the first page is opened. Time runs as usual until it is stopped. */
export async function installClock(page: Page): Promise<void> {
  await page.clock.install();
  // The ids of Playwright's timers do not fit the 32 bits in which wasm keeps them: clearing would miss.
  await page.addInitScript(() => {
    const { setTimeout: start, clearTimeout: stop } = window;
    const ids: number[] = [0];
    Object.assign(window, {
      setTimeout: (run: TimerHandler, ms?: number, ...rest: unknown[]) => ids.push(start(run, ms, ...rest)) - 1,
      clearTimeout: (id?: number) => stop(id === undefined ? id : ids[id]),
    });
  });
}

/** Stops it where it is. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 100);
}
