/** `/`: the link, its validation, and where it leads (spec §2, "Entry at /"; design D1, D2). */
import type { Page } from '@playwright/test';
import { expect, linkOf, SCRIPT_LEFT_OUT, test } from '../fixtures.ts';

/** From here on the browser drops what answers to POSTs want to be kept. */
async function keepNoCookies(page: Page): Promise<void> {
  await page.route('**', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    // The browser would add it only now.
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
    const response = await route.fetch({ maxRedirects: 0, headers });
    // Playwright's own request has kept it.
    await page.context().clearCookies();
    const { 'set-cookie': _dropped, ...kept } = response.headers();
    await route.fulfill({ response, headers: kept });
  });
}

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

test('the answer names the step itself, and nothing is fetched in front of it @any-size', async ({ page, newClient }) => {
  const client = newClient();
  const release = client.hold('validate-token');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(linkOf(client));
  await expect.poll(() => client.calls.length).toBe(1);
  // Where the answer takes long, the bridge comes by itself: it has to be there before something goes wrong.
  await expect.poll(() => asked.some((path) => path.endsWith('.wasm'))).toBe(true);
  const validated = asked.indexOf('/api/validate_token');
  const first = asked.findIndex((path) => /\.(wasm|js|woff2)$/.test(path));
  expect(validated).toBeGreaterThan(0);
  expect(validated, asked.join()).toBeLessThan(first);
  release();
  await expect(page).toHaveURL('/integration/widget');
  expect(asked).not.toContain('/integration/new');
});

test('a link that nobody answers says so where the bridge cannot be loaded any more @any-size', async ({
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
  // And again.
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

test('the mark of a validated link is not in the address, so that a reload means what it says @any-size', async ({
  page,
  newClient,
}) => {
  const client = newClient();
  await page.goto(linkOf(client));
  await expect(page).toHaveURL('/integration/widget');
  await page.reload();
  await expect(page).toHaveURL('/integration/widget');
  await page.context().clearCookies();
  await page.reload();
  await expect(page).toHaveURL('/error/token-not-found');
});

test('a browser that keeps no cookie is told so, and validates the link once @any-size', async ({ page, newClient }) => {
  const client = newClient();
  await keepNoCookies(page);
  await page.goto(linkOf(client));
  await expect(page).toHaveURL('/error/cookies-blocked');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Seu navegador não guarda cookies');
  await page.reload();
  expect(client.story).toEqual(['validate-token']);
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

test('a link preview, which only GETs, reaches no widget API @any-size', async ({ request, newClient }) => {
  const client = newClient();
  const page = await request.get(linkOf(client));
  expect(page.status()).toBe(200);
  expect(await page.text()).not.toContain(client.token);
  expect(page.headers()['set-cookie']).toBeUndefined();
  expect((await request.head(linkOf(client))).status()).toBe(200);
  expect(client.calls).toEqual([]);
});

for (const query of ['', '?', '?token=', '?foo=bar', '?of-success']) {
  test(`"/${query}" goes to token-not-found @any-size`, async ({ page }) => {
    await page.goto(`/${query}`);
    await expect(page).toHaveURL('/error/token-not-found');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Token de acesso não informado');
  });
}

for (const { type, to } of [
  { type: 'new', to: '/integration/widget' },
  { type: 'something else', to: '/integration/widget' },
  { type: 'update', to: '/integration/update' },
  { type: 'cancel', to: '/cancel/confirm' },
]) {
  test(`widget_type "${type}" leads to ${to} @any-size`, async ({ page, newClient }) => {
    await page.goto(linkOf(newClient({ widget_type: type })));
    await expect(page).toHaveURL(to);
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
  });
}

for (const extra of ['&of-success', '&of-success=true', '&back=of-success&itemId=1']) {
  test(`a return with "${extra}" is validated as such and leads to the success screen @any-size`, async ({
    page,
    newClient,
  }) => {
    const client = newClient();
    await page.goto(linkOf(client, extra));
    await expect(page).toHaveURL('/integration/success');
    expect(client.of('validate-token').map(({ body }) => body)).toEqual([
      { token: client.token, no_validate: 'of-success' },
    ]);
  });
}

for (const { type, to } of [
  { type: 'cancel', to: '/cancel/confirm' },
  { type: 'update', to: '/integration/update' },
]) {
  test(`of-success does not come before widget_type "${type}" @any-size`, async ({ page, newClient }) => {
    await page.goto(linkOf(newClient({ widget_type: type }), '&of-success'));
    await expect(page).toHaveURL(to);
  });
}

test('a return without a token uses the token of the session @any-size', async ({ page, newClient }) => {
  const client = newClient();
  await page.goto(linkOf(client));
  await expect(page).toHaveURL('/integration/widget');
  await page.goto('/?of-success');
  await expect(page).toHaveURL('/integration/success');
  const [, again] = client.of('validate-token');
  expect(again?.body).toEqual({ token: client.token, no_validate: 'of-success' });
  expect(again?.headers.authorization).toBe(`Bearer ${client.token}`);
});

test('a token that no cookie can hold goes to token-invalid @any-size', async ({ page, troubles }) => {
  troubles.expect(/status of 400 .*validate_token/);
  await page.goto(linkOf('t'.repeat(5000)));
  await expect(page).toHaveURL('/error/token-invalid');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a button validates the link', async ({ page, newClient, troubles }) => {
    const client = newClient();
    troubles.expect(SCRIPT_LEFT_OUT);
    await page.goto(linkOf(client));
    expect(client.calls).toEqual([]);
    await page.getByRole('button', { name: 'Continuar' }).click();
    await expect(page).toHaveURL('/integration/widget?validado=1');
    expect(client.story).toEqual(['validate-token']);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(client.data.customer_name);
  });

  test('a browser that keeps no cookie is told so @any-size', async ({ page, newClient }) => {
    const client = newClient();
    await keepNoCookies(page);
    await page.goto(linkOf(client));
    await page.getByRole('button', { name: 'Continuar' }).click();
    await expect(page).toHaveURL('/error/cookies-blocked');
    expect(client.story).toEqual(['validate-token']);
  });

  test('a link that is worth nothing shows its error screen @any-size', async ({ page }) => {
    await page.goto(linkOf('unknown'));
    await page.getByRole('button', { name: 'Continuar' }).click();
    await expect(page).toHaveURL('/error/token-not-exists');
  });
});
