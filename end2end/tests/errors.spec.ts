/** The error catalogue (spec §8, design D8) through the real screens, and the error screens (spec §2). */
import type { Page } from '@playwright/test';
import type { Client, SessionData } from '../client.ts';
import { installClock, stopClock } from '../clock.ts';
import { expect, linkOf, test } from '../fixtures.ts';
import { chooseBank, comesAlive, CONSENT, fillAdministrator, giveConsent } from '../person.ts';
import { type Answer, type CallName, refusal } from '../upstream.ts';

const NO_REPLY = 'Houve falha na requisição.';

/** How a person comes to make each call, and the action of ours that makes it. */
const WAYS: {
  call: CallName;
  action: string;
  data?: Partial<SessionData>;
  go: (page: Page, client: Client) => Promise<void>;
}[] = [
  { call: 'validate-token', action: 'validate_token', go: async () => {} },
  {
    call: 'authorize-customer',
    action: 'accept_consent',
    go: async (page) => {
      await comesAlive(page);
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: CONSENT }).click();
    },
  },
  {
    call: 'list-accounts',
    action: 'list_accounts',
    data: { widget_type: 'cancel' },
    go: async () => {},
  },
  {
    call: 'list-banks',
    action: 'list_banks',
    go: async (page) => {
      await giveConsent(page);
      await page.goto('/integration/select-bank');
    },
  },
  { call: 'connect-token', action: 'open_connect', data: { widget_type: 'update' }, go: async () => {} },
  { call: 'success', action: 'confirm_success', go: async (page) => void (await page.goto('/?of-success')) },
  {
    call: 'cancel-integrations',
    action: 'cancel_integrations',
    data: { widget_type: 'cancel' },
    go: async (page) => {
      await comesAlive(page);
      await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
    },
  },
];

async function provoke(page: Page, way: (typeof WAYS)[number], client: Client, answer: Answer): Promise<void> {
  client.answer(way.call, answer);
  await page.goto(linkOf(client));
  if (way.call === 'success') await expect(page).toHaveURL('/integration/widget');
  await way.go(page, client);
}

const REFUSALS: { answer: Answer; words: string; to: string }[] = [
  { words: 'meta.status 404', answer: refusal(404, 'Not found'), to: 'token-not-exists' },
  { words: '"Expired token"', answer: refusal(401, 'Expired token'), to: 'token-expired' },
  { words: 'another reply', answer: refusal(422, 'Blocked'), to: 'token-invalid' },
];

for (const way of WAYS) {
  for (const { answer, words, to } of REFUSALS) {
    test(`${way.call}: ${words} leads to ${to} @any-size`, async ({ page, newClient, troubles }) => {
      troubles.expect(new RegExp(`status of 502 .*${way.action}`));
      await page.goto('/error/link-not-updated');
      await provoke(page, way, newClient(way.data), answer);
      await expect(page).toHaveURL(`/error/${to}`);
      // The screen that failed is not behind it.
      const direct = ['validate-token', 'list-accounts', 'connect-token', 'cancel-integrations', 'authorize-customer'];
      if (!direct.includes(way.call)) return;
      await page.goBack();
      await expect(page).toHaveURL('/error/link-not-updated');
    });
  }

  test(`${way.call}: no reply toasts and stays @any-size`, async ({ page, newClient, troubles }) => {
    troubles.expect(new RegExp(`status of 504 .*${way.action}`));
    await provoke(page, way, newClient(way.data), 'drop');
    const toast = page.getByRole('region', { name: 'Avisos' }).getByText(NO_REPLY, { exact: true });
    await expect(toast).toBeVisible();
    expect(new URL(page.url()).pathname).not.toMatch(/^\/error/);
  });
}

for (const { words, answer, to } of [
  { words: 'meta.status in words', answer: { status: 500, json: { meta: { status: '404' } } }, to: 'token-not-exists' },
  { words: '404 by HTTP alone', answer: { status: 404, text: 'Not Found', type: 'text/plain' }, to: 'token-invalid' },
  { words: 'an error page', answer: { status: 500, text: '<h1>500</h1>', type: 'text/html' }, to: 'token-invalid' },
  { words: 'broken JSON', answer: { text: '{"data":', type: 'application/json' }, to: 'token-invalid' },
  { words: 'another shape', answer: { json: { ok: true } }, to: 'token-invalid' },
  { words: 'a list', answer: { json: { data: [] } }, to: 'token-invalid' },
  { words: 'more than 4 MiB', answer: { json: { data: 'x'.repeat(5_000_000) } }, to: 'token-invalid' },
  { words: 'a redirect', answer: { status: 302, text: '', type: 'text/plain' }, to: 'token-invalid' },
] satisfies { words: string; answer: Answer; to: string }[]) {
  test(`a validation answered with ${words} leads to ${to} @any-size`, async ({ page, newClient, troubles }) => {
    troubles.expect(/status of 502 .*validate_token/);
    await page.goto(linkOf(newClient().answer('validate-token', answer)));
    await expect(page).toHaveURL(`/error/${to}`);
  });
}

for (const call of ['list-accounts', 'list-banks', 'connect-token'] as const) {
  test(`${call}: another shape leads to token-invalid @any-size`, async ({ page, newClient, troubles }) => {
    troubles.expect(/status of 502/);
    const way = WAYS.find((one) => one.call === call);
    if (way === undefined) throw new Error(call);
    await provoke(page, way, newClient(way.data), { json: { data: { odd: true } } });
    await expect(page).toHaveURL('/error/token-invalid');
  });
}

test('an item that the provider does not know leads to link-not-exists, and is logged @any-size', async ({
  page,
  newClient,
  troubles,
}) => {
  troubles.expect(/status of 502 .*open_connect/);
  const client = newClient({ widget_type: 'update', link_id: 'gone' });
  client.answer('connect-token', refusal(404, 'Item not found', { code: 'ITEM_NOT_FOUND' }));
  await page.goto(linkOf(client));
  await expect(page).toHaveURL('/error/link-not-exists');
  await expect.poll(() => client.log).toEqual([
    expect.objectContaining({ type: 'pluggy-getConnectToken-request', status: 'SUCCESS' }),
    {
      type: 'pluggy-getConnectToken-response',
      status: 'ERROR',
      data: { provider: 'pluggy', status: 404, message: 'Item not found' },
    },
  ]);
});

test('an answer that is cut off in the middle counts as none @any-size', async ({ page, newClient, troubles }) => {
  troubles.expect(/status of 504 .*validate_token/);
  await page.goto(linkOf(newClient().answer('validate-token', 'cut')));
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText(NO_REPLY)).toBeVisible();
});

test('the entry without an answer can be tried again', async ({ page, newClient, troubles }) => {
  troubles.expect(/status of 504 .*validate_token/);
  const client = newClient().answer('validate-token', 'drop');
  await page.goto(linkOf(client));
  await expect(page.getByRole('button', { name: 'Tentar de novo' })).toBeVisible();
  client.answer('validate-token', undefined);
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page).toHaveURL('/integration/widget');
});

test('a toast is at the top centre, and goes after 5000 ms', async ({ page, newClient, troubles }) => {
  troubles.expect(/status of 504 .*accept_consent/);
  const client = newClient().answer('authorize-customer', 'drop');
  await installClock(page);
  await page.goto(linkOf(client));
  await page.getByRole('checkbox').check();
  await comesAlive(page);
  await stopClock(page);
  await page.getByRole('button', { name: CONSENT }).click();
  const toast = page.getByRole('region', { name: 'Avisos' }).getByText(NO_REPLY, { exact: true });
  await expect(toast).toBeVisible();
  const box = await toast.boundingBox();
  const width = page.viewportSize()?.width ?? 0;
  expect(box?.y).toBeLessThan(60);
  expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - width / 2)).toBeLessThan(40);
  await page.clock.runFor(4900);
  await expect(toast).toBeVisible();
  await page.clock.runFor(100);
  await expect(toast).toBeHidden();
  await expect(page).toHaveURL('/integration/widget');
  await expect(page.getByRole('button', { name: CONSENT })).toBeEnabled();
});

test('a toast stays while somebody is in it, and can be dismissed', async ({ page, newClient, troubles }) => {
  troubles.expect(/status of 504 .*accept_consent/);
  await installClock(page);
  await page.goto(linkOf(newClient().answer('authorize-customer', 'drop')));
  await page.getByRole('checkbox').check();
  await comesAlive(page);
  await page.getByRole('button', { name: CONSENT }).click();
  const toasts = page.getByRole('region', { name: 'Avisos' });
  const close = toasts.getByRole('button', { name: 'Fechar' });
  await close.focus();
  await page.clock.runFor(20_000);
  await expect(toasts.getByText(NO_REPLY)).toBeVisible();
  await close.press('Enter');
  await expect(toasts.getByText(NO_REPLY)).toBeHidden();
});

test('a connection that is cut between browser and server toasts and stays', async ({ page, newClient, troubles }) => {
  troubles.expect(/request failed: .*save_bank_form net::ERR_FAILED/, /console error: Failed to load resource/);
  await page.goto(linkOf(newClient()));
  await giveConsent(page);
  await page.goto('/integration/select-bank');
  await expect(page.getByRole('combobox')).toBeEditable();
  await chooseBank(page, 'Bradesco');
  await fillAdministrator(page);
  await page.route('**/api/save_bank_form', (route) => route.abort());
  await page.getByRole('button', { name: 'Avançar' }).click();
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText(NO_REPLY)).toBeVisible();
  await expect(page).toHaveURL('/integration/select-bank');
  await page.unroute('**/api/save_bank_form');
  await page.getByRole('button', { name: 'Avançar' }).click();
  await expect(page).toHaveURL('/integration/widget');
});

for (const { type, says } of [
  { type: 'token-not-found', says: [/não (foi )?informado/, /[Vv]erifique a URL e tente novamente/] },
  { type: 'token-not-exists', says: [/[Tt]oken não encontrado/, /novo link ao escritório de contabilidade/] },
  { type: 'token-expired', says: [/[Tt]oken expirado/, /novo link/] },
  { type: 'link-not-updated', says: [/credenciais do Open Finance não tiveram alterações/] },
  { type: 'link-not-exists', says: [/credenciais do Open Finance não foram encontradas/] },
  { type: 'token-invalid', says: [/problema com o token de acesso/, /novo link ao escritório de contabilidade/] },
  { type: 'cookies-blocked', says: [/não guarda cookies/, /Permita cookies para este site/, /Chrome ou no Safari/] },
  { type: 'whatever-else', says: [/problema com o token de acesso/, /novo link ao escritório de contabilidade/] },
]) {
  test(`/error/${type} says what happened and what to do`, async ({ page }) => {
    const response = await page.goto(`/error/${type}`);
    expect(response?.status()).toBe(200);
    for (const words of says) await expect(page.getByRole('main')).toContainText(words);
    await expect(page.getByRole('main').getByText('Código de atendimento:')).toBeVisible();
    await expect(page.getByRole('main').locator('code')).toHaveText(response?.headers()['x-request-id'] ?? 'none');
  });
}

test('the support code can be copied, and that is said', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/error/token-expired');
  const code = await page.getByRole('main').locator('code').textContent();
  await page.getByRole('button', { name: 'Copiar' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Código copiado' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
});

test('a path that does not exist is a 404 with a page of ours', async ({ page, troubles }) => {
  troubles.expect(/status of 404/);
  const response = await page.goto('/integration/nothing');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Página não encontrada');
});
