/** `/integration/widget` before the consent. */
import { readFileSync } from 'node:fs';
import { ACCOUNTS, FIRM } from '../client.ts';
import { failedInto } from '../error-screen.ts';
import { expect, linkOf, test } from '../fixtures.ts';
import { CONSENT, waitForHydration } from '../journey-steps.ts';
import { errorResponse } from '../upstream.ts';

test('the screen names the firm, the five steps, and the data that is shared', async ({ page, newClient }) => {
  const client = newClient();
  await page.goto(linkOf(client));
  await expect(page.getByRole('heading', { level: 1 })).toContainText(FIRM);
  await expect(page).toHaveTitle(`Autorizar acesso · ${FIRM}`);
  const [data, steps] = [page.getByRole('list').first(), page.getByRole('list').nth(1)];
  await expect(steps.getByRole('listitem')).toHaveText([
    new RegExp(`1.*Autorize ${FIRM}.*extratos`),
    /2.*Selecione o banco/,
    /3.*nome.*CPF.*administra/,
    /4.*agência.*conta/,
    /5.*Confirme/,
  ]);
  for (const step of await steps.getByRole('listitem').all()) await expect(step).toBeVisible();
  await expect(data.getByRole('listitem')).toHaveText([
    'Instituição financeira',
    'Agência',
    'Conta corrente',
    'Extrato: datas, valores e descrições',
  ]);
  await expect(page.getByText(/^Somente leitura\./)).toBeVisible();
  await expect(page.getByText(client.data.client_name)).toBeVisible();
  await expect(page.getByText(/CNPJ \*\*\./)).toBeVisible();
});

test('who asks, for what, the box and the button stand on a phone without a swipe, the steps below', async ({ page, newClient }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(linkOf(newClient()));
  const box = await page.getByRole('checkbox').boundingBox();
  expect(box?.y).toBeLessThan(600);
  const button = await page.getByRole('button', { name: CONSENT }).boundingBox();
  expect((button?.y ?? Infinity) + (button?.height ?? 0)).toBeLessThan(740);
  const steps = await page.getByRole('heading', { name: 'Como funciona' }).boundingBox();
  expect(steps?.y).toBeGreaterThan(button?.y ?? Infinity);
});

test('who only wants to see the accounts needs no consent', async ({ page, newClient }) => {
  const client = newClient();
  client.accounts = [ACCOUNTS[0]];
  await page.goto(linkOf(client));
  await page.getByRole('link', { name: 'Já autorizei: ver ou cancelar minhas contas' }).click();
  await expect(page.getByRole('cell', { name: ACCOUNTS[0].number })).toBeVisible();
  expect(client.requestsOf('authorize-customer')).toEqual([]);
});

test('the button waits for the tick; while the consent is sent it is busy and takes no second click', async ({
  page,
  newClient,
}) => {
  const client = newClient({ customer_id: '0042' });
  await page.goto(linkOf(client));
  const release = client.hold('authorize-customer');
  const [box, button] = [page.getByRole('checkbox'), page.getByRole('button', { name: CONSENT })];
  const why = page.getByText('Marque a caixa para continuar');
  await expect(box).not.toBeChecked();
  await expect(button).toBeDisabled();
  await expect(why).toBeVisible();
  await button.press('Enter');
  await expect(box).toBeFocused();
  await box.check();
  await expect(why).toBeHidden();
  await button.click();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await expect(button.locator('[class*=spinner]')).toBeVisible();
  await button.click({ force: true });
  await button.press('Enter');
  release();
  await expect(page).toHaveURL('/integration/accounts');
  expect(client.requestsOf('authorize-customer').map(({ body }) => body)).toEqual([{ customer_id: '0042' }]);
});

test('the consent carries its evidence, and docs/consent has the text that was shown', async ({ page, newClient }) => {
  const client = newClient();
  await page.goto(linkOf(client));
  await waitForHydration(page);
  await page.getByText('Não é você? Não autorize.').click();
  const shown = await page.locator('.consent__part').innerText();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page).toHaveURL('/integration/accounts');
  const [request] = client.requestsOf('authorize-customer');
  const header = (name: string) => request?.headers[`consent-${name}`];
  const userAgent = await page.evaluate(() => navigator.userAgent);
  expect([header('client-address'), header('browser')]).toEqual(['127.0.0.1', userAgent.slice(0, 200)]);
  const kept = readFileSync(new URL(`../../docs/consent/${header('text-sha256')}.txt`, import.meta.url), 'utf8');
  const words = (text: string) => text.replaceAll(/\[ \]|^- /gm, ' ').replaceAll(/\s+/g, ' ').trim();
  const { client_name: name } = client.data;
  const filled = kept.replaceAll('[nome do escritório]', FIRM).replaceAll('[nome do cliente]', name);
  const document = /CNPJ [*.A-Z0-9/-]+/.exec(shown)?.[0] ?? '';
  expect(words(filled.replaceAll('[CPF ou CNPJ do cliente]', document))).toBe(words(shown));
});

test('the accounts take the place of the consent in the history', async ({ page, newClient }) => {
  await page.goto('/error/token-expired');
  await page.goto(linkOf(newClient()));
  await waitForHydration(page);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page).toHaveURL('/integration/accounts');
  await page.goBack();
  await expect(page).toHaveURL('/error/token-expired');
});

for (const { response, to } of [
  { response: undefined, to: '/integration/accounts' },
  { response: errorResponse(401, 'Expired token'), to: failedInto('token-expired') },
]) {
  test(`a consent before React has arrived leads to ${to}, in its place, too`, async ({ page, newClient, browserErrors }) => {
    if (response !== undefined) browserErrors.expect(/status of 502/);
    const client = newClient().respond('authorize-customer', response);
    let arrive = (): void => {};
    const late = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route('**/islands/*.js', async (route) => {
      await late;
      await route.fallback();
    });
    await page.goto('/error/link-not-exists');
    await page.goto(linkOf(client));
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: CONSENT }).click();
    await expect(page).toHaveURL(to);
    arrive();
    expect(client.requestsOf('authorize-customer')).toHaveLength(1);
    await page.goBack();
    await expect(page).toHaveURL('/error/link-not-exists');
  });
}
