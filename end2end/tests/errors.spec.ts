/** The error catalogue through the real screens, and the error screens. */
import type { Page } from '@playwright/test';
import { ACCOUNTS, type Client, type SessionData } from '../client.ts';
import { installClock, stopClock } from '../clock.ts';
import { failedInto } from '../error-screen.ts';
import { expect, linkOf, test } from '../fixtures.ts';
import { arriveAtAccounts, CONSENT, waitForHydration } from '../journey-steps.ts';
import { startSession } from '../session.ts';
import { errorResponse } from '../upstream.ts';
import type { CallName, ScriptedResponse } from '../widget-api.ts';

const NO_REPLY = 'Houve falha na requisição.';

/** How to trigger each call, and one of its error responses. `src/tests/catalogue.rs` has all of them. */
const ERROR_RESPONSES: {
  call: CallName;
  response: ScriptedResponse;
  to: string;
  outage?: boolean;
  data?: Partial<SessionData>;
  go: (page: Page, client: Client) => Promise<unknown>;
}[] = [
  {
    call: 'validate-token',
    response: errorResponse(404, 'Not found'),
    to: 'token-not-exists',
    go: (page, client) => page.goto(linkOf(client)),
  },
  {
    call: 'authorize-customer',
    response: errorResponse(401, 'Expired token'),
    to: 'token-expired',
    go: async (page, client) => {
      await page.goto(linkOf(client));
      await waitForHydration(page);
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: CONSENT }).click();
    },
  },
  {
    call: 'list-accounts',
    response: errorResponse(422, 'Blocked'),
    to: 'token-invalid',
    go: arriveAtAccounts,
  },
  {
    call: 'list-banks',
    response: { json: { data: { odd: true } } },
    to: 'token-invalid',
    outage: true,
    go: async (page, client) => {
      await startSession(page, client, 'consented');
      await page.goto('/integration/select-bank');
    },
  },
  {
    call: 'connect-token',
    response: errorResponse(404, 'Item not found', { code: 'ITEM_NOT_FOUND' }),
    to: 'link-not-exists',
    data: { widget_type: 'update', link_id: 'gone' },
    go: (page, client) => page.goto(linkOf(client)),
  },
  {
    call: 'success',
    response: errorResponse(401, 'Expired token'),
    to: 'token-expired',
    go: (page, client) => page.goto(linkOf(client, '&of-success')),
  },
  {
    call: 'cancel-integrations',
    response: { status: 500, text: '<h1>500</h1>', type: 'text/html' },
    to: 'token-invalid',
    outage: true,
    data: { widget_type: 'cancel' },
    go: async (page, client) => {
      await page.goto(linkOf(client));
      await waitForHydration(page);
      await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
    },
  },
];

for (const { call, response, to, outage = false, data, go } of ERROR_RESPONSES) {
  test(`${call}: an error response leads to ${to}, in place of the screen that failed`, async ({ page, newClient, browserErrors }) => {
    browserErrors.expect(/status of 502 .*\/api\//);
    const client = newClient(data).respond(call, response);
    client.accounts = ACCOUNTS;
    await page.goto('/error/link-not-updated');
    await go(page, client);
    await expect(page).toHaveURL(failedInto(to, { outage }));
    const { headers } = client.requestsOf(call).at(-1) ?? {};
    await expect(page.getByRole('main').locator('code'), 'the code is that of the call').toHaveText(headers?.['x-request-id'] ?? 'none');
    await page.goBack();
    await expect(page).toHaveURL('/error/link-not-updated');
  });
}

test('a page without a session leads to the entry, and so to token-not-found', async ({ page }) => {
  await page.goto('/integration/accounts');
  await expect(page).toHaveURL('/error/token-not-found');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Abra o link de novo');
});

test('the entry without an answer can be tried again', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(/status of 504 .*validate_token/);
  const client = newClient().respond('validate-token', 'drop');
  await page.goto(linkOf(client));
  await expect(page.getByRole('button', { name: 'Tentar de novo' })).toBeVisible();
  client.respond('validate-token', undefined);
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page).toHaveURL('/integration/widget');
});

test('a toast is at the top centre, and goes after 5000 ms @both-sizes', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(/status of 504 .*accept_consent/);
  const client = newClient().respond('authorize-customer', 'drop');
  await installClock(page);
  await page.goto(linkOf(client));
  await page.getByRole('checkbox').check();
  await waitForHydration(page);
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

test('a toast stays while somebody is in it, and can be dismissed', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(/status of 504 .*accept_consent/);
  await installClock(page);
  await page.goto(linkOf(newClient().respond('authorize-customer', 'drop')));
  await page.getByRole('checkbox').check();
  await waitForHydration(page);
  await page.getByRole('button', { name: CONSENT }).click();
  const toasts = page.getByRole('region', { name: 'Avisos' });
  const close = toasts.getByRole('button', { name: 'Fechar' });
  await close.focus();
  await page.clock.runFor(20_000);
  await expect(toasts.getByText(NO_REPLY)).toBeVisible();
  await close.press('Enter');
  await expect(toasts.getByText(NO_REPLY)).toBeHidden();
});

test('the support code can be copied, and that is said', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/error/token-expired');
  await expect(page.getByText('Se falar com o escritório, informe este código:')).toBeVisible();
  const code = await page.getByRole('main').locator('code').textContent();
  await page.getByRole('button', { name: 'Copiar' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Código copiado' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
});
