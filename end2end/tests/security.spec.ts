/** What a stranger cannot do, and what nobody gets to see (design D2, D3, D10). */
import { CPF } from '../client.ts';
import { expect, linkOf, test } from '../fixtures.ts';
import { arriveAtAccounts, arriveAtConnect, comesAlive } from '../person.ts';

test('every page carries the security headers @any-size', async ({ page, newClient }) => {
  const seen = new Map<string, Record<string, string>>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.request().resourceType() === 'document') seen.set(pathname, response.headers());
  });
  await arriveAtAccounts(page, newClient());
  await page.goto('/integration/select-bank');
  await page.goto('/cancel/confirm');
  await page.goto('/error/token-expired');
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining(['/', '/integration/widget', '/integration/accounts', '/integration/select-bank']),
  );
  for (const [path, headers] of seen) {
    const policy = headers['content-security-policy'] ?? '';
    expect(policy, path).toContain("default-src 'none'");
    expect(policy, path).toContain("frame-ancestors 'none'");
    expect(policy, path).not.toMatch(/script-src[^;]*'unsafe-(inline|eval)'/);
    expect(headers['x-content-type-options'], path).toBe('nosniff');
    expect(headers['x-frame-options'], path).toBe('DENY');
    expect(headers['cache-control'], path).toContain('no-store');
    expect(headers['strict-transport-security'], path).toMatch(/max-age=\d{8}/);
    expect(headers['referrer-policy'], path).toBe(path === '/' ? 'no-referrer' : 'same-origin');
    expect(headers['cross-origin-opener-policy'], path).toBe('same-origin');
  }
});

test('only Connect’s page may show a frame, and only Connect’s @any-size', async ({ page, newClient }) => {
  await arriveAtConnect(page, newClient());
  const policyOf = async () => (await page.reload())?.headers()['content-security-policy'] ?? '';
  expect(await policyOf()).toMatch(/frame-src https:\/\/connect\.pluggy\.ai(;|$)/);
  await page.goto('/integration/accounts');
  expect(await policyOf()).not.toContain('frame-src');
});

test('no token, connect token or CPF stands in an address or a storage @any-size', async ({ page, newClient }) => {
  const client = newClient();
  const addresses: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/') || request.resourceType() === 'document') addresses.push(request.url());
  });
  await arriveAtConnect(page, client);
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

for (const headers of [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  {},
]) {
  test(`an action from ${JSON.stringify(headers)} is refused @any-size`, async ({ page, newClient }) => {
    const client = newClient({ widget_type: 'cancel' });
    await page.goto(linkOf(client));
    await comesAlive(page);
    const session = await page.evaluate(() => {
      const context: unknown = JSON.parse(document.getElementById('vincula-context')?.textContent ?? '{}');
      return typeof context === 'object' && context !== null && 'session' in context ? context.session : undefined;
    });
    expect(session).toEqual(expect.any(String));
    const [cookie] = await page.context().cookies();
    const answer = await page.request.post('/api/cancel_integrations', {
      headers: { ...headers, cookie: `${cookie?.name}=${cookie?.value}`, 'content-type': 'application/json' },
      data: { input: { session } },
    });
    expect(answer.status()).toBe(403);
    expect(client.of('cancel-integrations')).toHaveLength(0);
  });
}

test('an action that is no JSON is refused @any-size', async ({ request, baseURL }) => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const headers = { origin: baseURL ?? '', 'content-type': type };
    const answer = await request.post('/api/validate_token', { headers, data: '{"input":{"query":"?token=x"}}' });
    expect(answer.status(), type).toBe(415);
  }
});

test('a page of a stranger cannot read or frame ours @any-size', async ({ request }) => {
  const answer = await request.get('/error/token-expired', { headers: { origin: 'https://evil.example' } });
  expect(answer.headers()['access-control-allow-origin']).toBeUndefined();
  expect(answer.headers()['cross-origin-resource-policy']).toBe('same-origin');
});

test('what is typed into an address is shown nowhere @any-size', async ({ page, production }) => {
  const typed = 'zz-typed-zz';
  for (const path of [`/error/${typed}`, `/${typed}`, `/?${typed}`]) {
    const answer = await page.request.get(path);
    expect(await answer.text(), path).not.toContain(typed);
  }
  expect(production.output()).not.toContain(typed);
});
