/** `/integration/accounts`. */
import type { Page } from '@playwright/test';
import { findings } from '../axe.ts';
import { ACCOUNTS } from '../client.ts';
import { installClock, stopClock } from '../clock.ts';
import { failedInto } from '../error-screen.ts';
import { expect, test } from '../fixtures.ts';
import { arriveAtAccounts } from '../journey-steps.ts';
import { startSession } from '../session.ts';
import { watchPrefetch, isPrefetched } from '../prefetch.ts';
import { errorResponse } from '../upstream.ts';

const NO_REPLY = 'Houve falha na requisição.';

/** Counts the page's requests for the accounts. */
function polls(page: Page): () => number {
  let made = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/list_accounts')) made += 1;
  });
  return () => made;
}

/** Simulates leaving the tab, or returning to it. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (value ? 'hidden' : 'visible') });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, hidden);
}

test('"Integrar novo banco" leads on, to a page that is prefetched', async ({ page, newClient }) => {
  const { ready } = await watchPrefetch(page);
  const client = newClient();
  await arriveAtAccounts(page, client);
  const link = page.getByRole('link', { name: 'Integrar novo banco' });
  await expect(link).toHaveAttribute('href', '/integration/widget');
  await link.hover();
  await ready;
  // The prefetch has no side effect: only the opened page requests the bank list.
  expect(client.requestsOf('list-banks')).toEqual([]);
  await link.click();
  await expect(page).toHaveURL('/integration/select-bank');
  expect(await isPrefetched(page)).toBe(true);
  await expect(page.getByRole('combobox')).toBeEditable();
});

test('an empty list shows one full-width row, and a quiet way to withdraw the consent', async ({ page, newClient }) => {
  const client = newClient();
  await arriveAtAccounts(page, client);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(client.data.client_name);
  const empty = page.getByRole('cell', { name: 'Nenhuma conta autorizada', exact: false });
  await expect(empty).toHaveText(/^Nenhuma conta autorizada\.?$/);
  await expect(empty).toHaveAttribute('colspan', '4');
  await expect(page.locator('tbody').getByRole('row')).toHaveCount(1);
  await expect(page.getByText(/pode levar até 5 minutos/)).toBeVisible();
  await expect(page.getByText(/^Para conectar uma conta/)).toBeVisible();
  await expect(page.getByText('Deseja cancelar todas as suas integrações?')).toBeHidden();
  await page.getByRole('link', { name: 'Cancelar a autorização' }).click();
  await expect(page.getByRole('button', { name: 'Cancelar todas integrações' })).toBeVisible();
});

test('the table has the four headings and every account as it came @both-sizes', async ({ page, newClient }) => {
  const client = newClient();
  client.accounts = ACCOUNTS;
  await arriveAtAccounts(page, client);
  await expect(page.getByRole('columnheader')).toHaveText(['Banco', 'Agência', 'Conta', 'Nome']);
  for (const { bank, agency, number, name } of ACCOUNTS) {
    const row = page.getByRole('row').filter({ hasText: number });
    await expect(row.getByRole('cell')).toHaveText([bank, agency, number, name]);
  }
  await expect(page.getByText('Nenhuma conta autorizada')).toBeHidden();
});

test('what was just linked is on the screen at once, until the list has it', async ({ page, newClient }) => {
  const client = newClient();
  await startSession(page, client, 'linked');
  await page.goto('/integration/accounts');
  const row = page.getByRole('row').filter({ hasText: 'Itaú' });
  await expect(row).toContainText('Em confirmação: aparece aqui em até 5 minutos.');
  await expect(page.getByText(/^Pronto: você autorizou no banco\./)).toBeVisible();
  expect(await findings(page)).toEqual([]);
  client.accounts = [ACCOUNTS[1]];
  await expect(page.getByText(ACCOUNTS[1].number)).toBeVisible();
  await expect(row).toBeVisible();
  client.accounts = [ACCOUNTS[0]];
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
  await expect(page.getByText('Em confirmação')).toBeHidden();
  await page.reload();
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
  await expect(page.getByText('Em confirmação')).toBeHidden();
});

test('after five minutes it says whom to ask, and after an hour no more', async ({ page, newClient }) => {
  const client = newClient();
  await installClock(page);
  await startSession(page, client, 'linked');
  await page.goto('/integration/accounts');
  await expect(page.getByText('Em confirmação')).toBeVisible();
  await expect(page.getByText('Nenhuma conta autorizada.')).toBeVisible();
  await page.clock.fastForward('05:05');
  await expect(page.getByText(`Passaram 5 minutos e o banco não confirmou. Fale com ${client.data.customer_name}.`)).toBeVisible();
  await page.clock.fastForward('56:00');
  await expect(page.getByText('Passaram 5 minutos')).toBeHidden();
  await expect(page.getByText('Nenhuma conta autorizada.')).toBeVisible();
});

test('with an account there is a way to the cancellation', async ({ page, newClient }) => {
  const client = newClient();
  client.accounts = [ACCOUNTS[0]];
  await arriveAtAccounts(page, client);
  await expect(page.getByText('Deseja cancelar todas as suas integrações? clique aqui')).toBeVisible();
  await page.getByRole('link', { name: 'clique aqui' }).click();
  await expect(page).toHaveURL('/cancel/confirm');
});

test('the next poll is sent 3 seconds after each finished response, never two at once', async ({
  page,
  newClient,
}) => {
  const client = newClient();
  await installClock(page);
  await arriveAtAccounts(page, client);
  await expect(page.getByText('Nenhuma conta autorizada.')).toBeVisible();
  await stopClock(page);
  const made = polls(page);
  const release = client.hold('list-accounts');
  client.accounts = [ACCOUNTS[0]];
  await page.clock.runFor(3000);
  await expect.poll(made).toBe(1);
  // While one poll is pending, time does not start a second one.
  await page.clock.runFor(30_000);
  expect(made()).toBe(1);
  release();
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
  await page.clock.runFor(2999);
  expect(made()).toBe(1);
  await page.clock.runFor(1);
  await expect.poll(made).toBe(2);
});

test('the polls end with the screen', async ({ page, newClient }) => {
  const client = newClient();
  client.accounts = [ACCOUNTS[0]];
  await installClock(page);
  await arriveAtAccounts(page, client);
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
  await page.goto('/integration/select-bank');
  await expect(page.getByRole('combobox')).toBeEditable();
  const before = client.requestsOf('list-accounts').length;
  await page.clock.runFor(30_000);
  expect(client.requestsOf('list-accounts')).toHaveLength(before);
});

test('a hidden tab does not poll; it polls at once when it is visible again', async ({ page, newClient }) => {
  const client = newClient();
  await installClock(page);
  await arriveAtAccounts(page, client);
  await expect(page.getByText('Nenhuma conta autorizada.')).toBeVisible();
  await stopClock(page);
  await setHidden(page, true);
  const made = polls(page);
  await page.clock.runFor(60_000);
  expect(made()).toBe(0);
  client.accounts = [ACCOUNTS[1]];
  await setHidden(page, false);
  await expect(page.getByText(ACCOUNTS[1].number)).toBeVisible();
  expect(made()).toBe(1);
});

test('polls without an answer keep the last table, toast once, and recover', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(/status of 504 .*list_accounts/);
  const client = newClient();
  client.accounts = [ACCOUNTS[0]];
  await installClock(page);
  await arriveAtAccounts(page, client);
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
  await stopClock(page);
  const made = polls(page);
  const toast = page.getByRole('region', { name: 'Avisos' }).getByText(NO_REPLY);
  client.respond('list-accounts', 'drop');
  await page.clock.runFor(3000);
  await expect(toast).toHaveCount(1);
  await expect(page.getByText(/atualizado às \d\dh\d\d/)).toBeVisible();
  await page.clock.runFor(5000);
  await expect(toast).toHaveCount(0);
  // Its timer starts when the page has processed the previous response, which is not visible.
  await expect.poll(async () => page.clock.runFor(1500).then(made)).toBe(3);
  await expect(toast).toHaveCount(0);
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
  await expect(page).toHaveURL('/integration/accounts');
  client.respond('list-accounts', undefined);
  client.accounts = ACCOUNTS;
  await expect.poll(async () => page.clock.runFor(1500).then(made)).toBe(4);
  await expect(page.getByText(ACCOUNTS[1].number)).toBeVisible();
  await expect(page.getByText('2 contas autorizadas · atualizado agora')).toBeVisible();
});

test('a first load without an answer can be tried again, and is not polled', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(/status of 504 .*list_accounts/);
  const client = newClient().respond('list-accounts', 'drop');
  await installClock(page);
  await arriveAtAccounts(page, client);
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText(NO_REPLY)).toBeVisible();
  const before = client.requestsOf('list-accounts').length;
  await page.clock.runFor(10_000);
  expect(client.requestsOf('list-accounts')).toHaveLength(before);
  // The page does not claim that there are no accounts.
  await expect(page.getByText('Nenhuma conta autorizada')).toBeHidden();
  expect(await findings(page)).toEqual([]);
  client.respond('list-accounts', undefined);
  client.accounts = [ACCOUNTS[0]];
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
});

test('a token that expires while the screen is open leads to its error screen', async ({
  page,
  newClient,
  browserErrors,
}) => {
  browserErrors.expect(/status of 502 .*list_accounts/);
  const client = newClient().respond('list-accounts', undefined, errorResponse(401, 'Expired token'));
  await installClock(page);
  await page.goto('/error/link-not-exists');
  await arriveAtAccounts(page, client);
  await expect(page.getByText('Nenhuma conta autorizada.')).toBeVisible();
  await page.clock.runFor(3000);
  await expect(page).toHaveURL(failedInto('token-expired'));
  await page.goBack();
  await expect(page).toHaveURL('/error/link-not-exists');
});

test('a list that cannot be read leads to an error that does not blame the link', async ({ page, newClient }) => {
  await page.route('**/api/list_accounts', (route) => route.fulfill({ json: { kind: 'of another build' } }));
  await arriveAtAccounts(page, newClient());
  await expect(page).toHaveURL('/error/token-invalid?falha=servico');
});
