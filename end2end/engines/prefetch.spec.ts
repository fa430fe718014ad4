/** Prefetch of the next step's files: each engine has to allow it, and to cache the responses. */
import { linkOf } from '../fixtures.ts';
import { expect, test } from './fixtures.ts';
import { startProxy } from './proxy.ts';
import { giveConsent } from './journey-steps.ts';
import { Tab } from './tab.ts';

/** Captures the extension of a prefetched file. */
const HASHED = /(?<=^\/pkg\/.*)\.(js|wasm)$/;

test('the files of the accounts come with the consent, and once', async ({ driver, engine, production, certificate, newClient }) => {
  // Its own origin, so that the browser's cache has nothing of an earlier test.
  const proxy = await startProxy(production.url, certificate);
  try {
    const tab = new Tab(driver, proxy.url);
    // The page requests both at once; they arrive in any order.
    const files = () => proxy.served.flatMap((path) => HASHED.exec(path)?.[0] ?? []).sort();
    await tab.open(linkOf(newClient()));
    await tab.waitForHydration();
    await expect.poll(files).toEqual(['.js', '.wasm']);
    await giveConsent(tab);
    await tab.waitForHydration();
    // WebKit's automation sessions have no disk cache, so it requests everything again.
    if (engine !== 'webkit') expect(files()).toHaveLength(2);
    await tab.leave();
  } finally {
    await proxy.stop();
  }
});
