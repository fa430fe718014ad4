/** Prefetches of the browser, by speculation rules. */
import type { Page } from '@playwright/test';

/** Call it before the first page; `ready` resolves once a page has been prefetched. */
export async function watchPrefetch(page: Page): Promise<{ ready: Promise<void> }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Preload.enable');
  const ready = new Promise<void>((done) => {
    devtools.on('Preload.prefetchStatusUpdated', ({ status }) => {
      if (status === 'Ready' || status === 'Success') done();
    });
  });
  return { ready };
}

/** Whether the current page was prefetched. */
export function isPrefetched(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as (PerformanceEntry & { deliveryType: string })[];
    return navigation?.deliveryType === 'navigational-prefetch';
  });
}
