/** `/`: the link, its validation, and where it leads (spec §2, "Entry at /"; design D1, D2). */
import { expect, linkOf, test } from '../fixtures.ts';

test('a spinner shows while the token is validated', async ({ page, newClient }) => {
  const client = newClient();
  const release = client.hold('validate-token');
  await page.goto(linkOf(client));
  await expect(page.getByRole('status').getByText('Validando seu acesso…')).toBeVisible();
  await expect.poll(() => client.calls.length).toBe(1);
  await expect(page).toHaveURL(linkOf(client));
  release();
  await expect(page).toHaveURL('/integration/widget');
});

test('the answer names the step itself, and nothing is fetched in front of it', async ({ page, newClient }) => {
  const client = newClient();
  const release = client.hold('validate-token');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(linkOf(client));
  await expect.poll(() => client.calls.length).toBe(1);
  // If the response is slow, the page loads the bridge: it has to be there before an error.
  await expect.poll(() => asked.some((path) => path.endsWith('.wasm'))).toBe(true);
  const validated = asked.indexOf('/api/validate_token');
  const first = asked.findIndex((path) => /\.(wasm|js|woff2)$/.test(path));
  expect(validated).toBeGreaterThan(0);
  expect(validated, asked.join()).toBeLessThan(first);
  release();
  await expect(page).toHaveURL('/integration/widget');
  expect(asked).not.toContain('/integration/new');
});

test('a link that nobody answers says so where the bridge cannot be loaded any more', async ({
  page,
  newClient,
  troubles,
}) => {
  troubles.expect(/request failed: .* net::ERR_INTERNET_DISCONNECTED/, /ERR_INTERNET_DISCONNECTED/);
  const gone = (url: RegExp) => page.route(url, (route) => route.abort('internetdisconnected'));
  await gone(/\/islands\//);
  await gone(/\/api\//);
  await page.goto(linkOf(newClient()));
  const notices = page.getByRole('region', { name: 'Avisos' });
  await expect(notices.getByText('Houve falha na requisição.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Tentar de novo' })).toBeVisible();
  await notices.getByRole('button', { name: 'Fechar' }).click();
  await expect(notices.getByText('Houve falha na requisição.')).toBeHidden();
  // A second failure shows it again.
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(notices.getByText('Houve falha na requisição.')).toBeVisible();
});

test('the token is in no address and no history entry afterwards', async ({ page, newClient }) => {
  const client = newClient();
  await page.goto('/error/token-expired');
  await page.goto(linkOf(client));
  await expect(page).toHaveURL('/integration/widget');
  const entries = await page.evaluate(() => {
    const { navigation } = window as unknown as { navigation: { entries: () => { url: string }[] } };
    return navigation.entries().map(({ url }) => url);
  });
  expect(entries).toHaveLength(2);
  expect(entries.join()).not.toContain(client.token);
  await page.goBack();
  await expect(page).toHaveURL('/error/token-expired');
});

test('the token is nowhere that a script could read it', async ({ page, newClient }) => {
  const client = newClient();
  await page.goto(linkOf(client));
  await expect(page).toHaveURL('/integration/widget');
  const readable = await page.evaluate(() =>
    [
      document.documentElement.outerHTML,
      document.cookie,
      document.referrer,
      window.name,
      JSON.stringify(history.state),
      JSON.stringify({ ...localStorage, ...sessionStorage }),
      ...performance.getEntries().map(({ name }) => name),
    ].join('\n'),
  );
  expect(readable).not.toContain(client.token);
  expect(await page.evaluate(() => document.cookie)).toBe('');
  const [cookie, ...others] = await page.context().cookies();
  expect(others).toEqual([]);
  expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
  expect(cookie?.name).toMatch(/^__Host-/);
  expect(cookie?.value).not.toContain(client.token);
});

test('a link preview, which only GETs, reaches no widget API', async ({ request, newClient }) => {
  const client = newClient();
  const page = await request.get(linkOf(client));
  expect(page.status()).toBe(200);
  expect(await page.text()).not.toContain(client.token);
  expect(page.headers()['set-cookie']).toBeUndefined();
  expect((await request.head(linkOf(client))).status()).toBe(200);
  expect(client.calls).toEqual([]);
});
