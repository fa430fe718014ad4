/** What the next step needs is fetched ahead of it: each engine has to allow it, and to keep what has come. */
import { linkOf } from '../fixtures.ts';
import { expect, test } from './fixtures.ts';
import { startFront } from './front.ts';
import { giveConsent } from './person.ts';
import { Tab } from './tab.ts';

/** The endings of what is fetched ahead. */
const HASHED = /(?<=^\/pkg\/.*)\.(js|wasm)$/;

test('the files of the accounts come with the consent, and once', async ({ driver, engine, production, certificate, newClient }) => {
  // An address of its own: nothing of an earlier test is in the browser's cache.
  const front = await startFront(production.url, certificate);
  try {
    const tab = new Tab(driver, front.url);
    // Both are asked for at once, and come in any order.
    const files = () => front.served.flatMap((path) => HASHED.exec(path)?.[0] ?? []).sort();
    await tab.open(linkOf(newClient()));
    await tab.comesAlive();
    await expect.poll(files).toEqual(['.js', '.wasm']);
    await giveConsent(tab);
    await tab.comesAlive();
    // A session of WebKit for tests has no cache on the disk: whatever it has fetched it asks for again.
    if (engine !== 'webkit') expect(files()).toHaveLength(2);
    await tab.leave();
  } finally {
    await front.stop();
  }
});
