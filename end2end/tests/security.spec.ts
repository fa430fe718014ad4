/** Secrets that must not leak. Forged requests: `src/tests/requests.rs`, `src/tests/pages.rs`. */
import { CPF } from '../client.ts';
import { expect, test } from '../fixtures.ts';
import { goToConnect } from '../journey-steps.ts';

test.use({ withConnect: true });

test('no token, connect token or CPF stands in an address or a storage', async ({ page, newClient }) => {
  const client = newClient();
  const addresses: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/') || request.resourceType() === 'document') addresses.push(request.url());
  });
  await goToConnect(page, client);
  const entry = addresses.findIndex((url) => url.includes('?token='));
  addresses.splice(entry, 1);
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie);
  for (const secret of [client.token, client.connectToken, CPF, '52998224725']) {
    expect(addresses.join(' ')).not.toContain(secret);
    expect(stored).not.toContain(secret);
  }
  const html = await page.content();
  expect(html).not.toContain(client.token);
  expect(html).not.toContain('52998224725');
});
