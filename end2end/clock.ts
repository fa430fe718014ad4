/** Controls the page's clock. */
import type { Page } from '@playwright/test';

/** Call it before the first page is opened. Time runs as usual until it is stopped. */
export async function installClock(page: Page): Promise<void> {
  await page.clock.install();
  // Playwright's timer ids do not fit the 32 bits that wasm has for them: clearing them would have no effect.
  await page.addInitScript(() => {
    const { setTimeout: start, clearTimeout: stop } = window;
    const ids: number[] = [0];
    Object.assign(window, {
      setTimeout: (run: TimerHandler, ms?: number, ...rest: unknown[]) => ids.push(start(run, ms, ...rest)) - 1,
      clearTimeout: (id?: number) => stop(id === undefined ? id : ids[id]),
    });
  });
}

/** Stops the clock at the present time: on a busy machine a little more has passed before the browser hears of it. */
export async function stopClock(page: Page, aheadMs = 100): Promise<void> {
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + aheadMs).catch((error: unknown) => {
    if (aheadMs > 1000) throw error;
    return stopClock(page, 2 * aheadMs);
  });
}
