/** What the browser fetches ahead of time, by speculation rules. */
import type { Page } from '@playwright/test';

/** To be called before the first page; `ready` is kept once a page has been fetched ahead. */
export async function fetchedAhead(page: Page): Promise<{ ready: Promise<void> }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Preload.enable');
  const ready = new Promise<void>((done) => {
    devtools.on('Preload.prefetchStatusUpdated', ({ status }) => {
      if (status === 'Ready' || status === 'Success') done();
    });
  });
  return { ready };
}

/** Whether the page that is shown was fetched before it was opened. */
export function isFromAhead(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as (PerformanceEntry & { deliveryType: string })[];
    return navigation?.deliveryType === 'navigational-prefetch';
  });
}
