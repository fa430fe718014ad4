/** `/`: the link, its validation, and where it leads. */
import { ACCOUNTS } from '../client.ts';
import { expect, linkOf, test } from '../fixtures.ts';
import { arriveAtAccounts, waitForHydration } from '../journey-steps.ts';

test('a spinner shows while the token is validated', async ({ page, newClient }) => {
  const client = newClient();
  const release = client.hold('validate-token');
  await page.goto(linkOf(client));
  await expect(page.getByRole('status').getByText('Abrindo o seu link…')).toBeVisible();
  await expect.poll(() => client.calls.length).toBe(1);
  await expect(page).toHaveURL(linkOf(client));
  release();
  await expect(page).toHaveURL('/integration/widget');
});

test('nothing is fetched in front of the validation', async ({ page, newClient }) => {
  const client = newClient();
  const release = client.hold('validate-token');
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await page.goto(linkOf(client));
  await expect.poll(() => client.calls.length).toBe(1);
  // The font is the only other file, and only after the validation has been sent.
  await expect.poll(() => requested.some((path) => path.endsWith('.woff2'))).toBe(true);
  expect(requested.filter((path) => /\.(wasm|js|woff2)$|^\/api/.test(path))).toEqual([
    '/api/validate_token',
    '/fonts/inter-pt.woff2',
  ]);
  release();
  await expect(page).toHaveURL('/integration/widget');
});

test('the step takes the place of the entry in the same document', async ({ page, newClient }) => {
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents.push(new URL(request.url()).pathname);
  });
  const client = newClient();
  await page.goto(linkOf(client));
  await expect(page).toHaveURL('/integration/widget');
  await expect(page).toHaveTitle(`Autorizar acesso · ${client.data.customer_name}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await waitForHydration(page);
  expect(documents).toEqual(['/']);
  // The server shows the same step.
  const parts = (): Promise<string[]> =>
    page.evaluate(() =>
      [...document.body.querySelectorAll('*')]
        .filter((element) => !element.matches('[nonce], script:not([type]), noscript, noscript *'))
        .map((element) => `${element.localName}.${element.className}`),
    );
  const inPlace = await parts();
  await page.reload();
  await waitForHydration(page);
  expect(documents).toEqual(['/', '/integration/widget']);
  expect(await parts()).toEqual(inPlace);
  expect(client.callSequence).toEqual(['validate-token']);
});

test('a first visit is set in Inter, also if the font arrives after the step', async ({ page, newClient }) => {
  let sendFont = () => {};
  const shown = new Promise<void>((resolve) => {
    sendFont = resolve;
  });
  await page.route('**/*.woff2', async (route) => {
    await shown;
    await route.fallback();
  });
  await page.goto(linkOf(newClient()), { waitUntil: 'commit' });
  await expect(page.getByRole('button', { name: 'Autorizar integrações bancárias' })).toBeVisible();
  sendFont();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('DOM.enable');
  await devtools.send('CSS.enable');
  const fonts = async () => {
    const { root } = await devtools.send('DOM.getDocument');
    const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
    const used = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
    return used.fonts.map(({ familyName }) => familyName);
  };
  await expect.poll(fonts).toEqual(['Inter']);
});

test('accounts and cancellation take the place of the entry, too', async ({ page, newClient }) => {
  const client = newClient();
  client.accounts = [ACCOUNTS[0]];
  await arriveAtAccounts(page, client);
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents.push(new URL(request.url()).pathname);
  });
  await page.goto(linkOf(client));
  await expect(page).toHaveURL('/integration/accounts');
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
  const cancelling = newClient({ widget_type: 'cancel' });
  cancelling.accounts = [ACCOUNTS[0]];
  await page.goto(linkOf(cancelling));
  await expect(page).toHaveURL('/cancel/confirm');
  await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
  await expect(page).toHaveURL('/cancel/success');
  expect(documents).toEqual(['/', '/', '/cancel/success']);
});

test('a link that nobody answers says so without any other file', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(/request failed: .* net::ERR_INTERNET_DISCONNECTED/, /ERR_INTERNET_DISCONNECTED/);
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

test('the token is in nothing that the page keeps', async ({ page, newClient }) => {
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
      // The browser's own record of the navigation keeps the link's address, and no script can clear it.
      ...performance.getEntries().flatMap(({ name, entryType }) => (entryType === 'navigation' ? [] : [name])),
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
