/** Two links in one browser: a tab never acts on another client's accounts (design D11). */
import { ACCOUNTS } from '../client.ts';
import { fetchedAhead, isFromAhead } from '../ahead.ts';
import { installClock } from '../clock.ts';
import { expect, linkOf, test } from '../fixtures.ts';
import { arriveAtAccounts, arriveAtBankForm, chooseBank, comesAlive, CONSENT, fillAdministrator, giveConsent } from '../person.ts';

const NOTICE = 'Sessão em outra aba';

test('a cancellation in the first tab is refused after a second link was opened', async ({
  page,
  context,
  newClient,
  troubles,
}) => {
  troubles.expect(/status of 409 .*cancel_integrations/);
  const [first, second] = [newClient({ widget_type: 'cancel' }), newClient({ widget_type: 'cancel' })];
  first.accounts = ACCOUNTS;
  await page.goto(linkOf(first));
  await expect(page.getByRole('cell', { name: ACCOUNTS[0].number })).toBeVisible();
  await comesAlive(page);
  const other = await context.newPage();
  await other.goto(linkOf(second));
  await expect(other).toHaveURL('/cancel/confirm');
  await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
  await expect(page.getByRole('alertdialog', { name: NOTICE })).toBeVisible();
  for (const client of [first, second]) expect(client.of('cancel-integrations')).toEqual([]);
  await expect(page).toHaveURL('/cancel/confirm');
});

test('a consent in the first tab is refused', async ({ page, context, newClient, troubles }) => {
  troubles.expect(/status of 409 .*accept_consent/);
  const [first, second] = [newClient(), newClient()];
  await page.goto(linkOf(first));
  await comesAlive(page);
  const other = await context.newPage();
  await other.goto(linkOf(second));
  await expect(other).toHaveURL('/integration/widget');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page.getByRole('alertdialog', { name: NOTICE })).toBeVisible();
  for (const client of [first, second]) expect(client.of('authorize-customer')).toEqual([]);
});

test('a bank form in the first tab is refused', async ({ page, context, newClient, troubles }) => {
  troubles.expect(/status of 409 .*save_bank_form/);
  const [first, second] = [newClient(), newClient()];
  await arriveAtBankForm(page, first);
  const other = await context.newPage();
  await arriveAtBankForm(other, second);
  await chooseBank(page, 'Bradesco');
  await fillAdministrator(page);
  await page.getByRole('button', { name: 'Avançar' }).click();
  await expect(page.getByRole('alertdialog', { name: NOTICE })).toBeVisible();
  await other.reload();
  await expect(other.getByLabel('CPF do administrador')).toHaveValue('');
});

test('the polls of the first tab end, and never show the second client’s accounts', async ({
  page,
  context,
  newClient,
  troubles,
}) => {
  troubles.expect(/status of 409 .*list_accounts/);
  const [first, second] = [newClient(), newClient()];
  first.accounts = [ACCOUNTS[0]];
  second.accounts = [ACCOUNTS[1]];
  await installClock(page);
  await arriveAtAccounts(page, first);
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
  const other = await context.newPage();
  await other.goto(linkOf(second));
  await expect(other).toHaveURL('/integration/widget');
  await page.clock.runFor(3000);
  await expect(page.getByRole('alertdialog', { name: NOTICE })).toBeVisible();
  await expect(page.getByText(ACCOUNTS[1].number)).toHaveCount(0);
  expect(second.of('list-accounts')).toEqual([]);
});

test('a bank form that was fetched ahead of time shows nothing of the second client, and is refused', async ({
  page,
  context,
  newClient,
  troubles,
}) => {
  troubles.expect(/status of 409 .*list_banks/);
  const [first, second] = [newClient(), newClient({ widget_account_admin_name: 'Rui da Segunda Aba' })];
  const { ready } = await fetchedAhead(page);
  // The first list is still on its way when the first tab goes on: no poll can have told it.
  first.hold('list-accounts');
  await arriveAtAccounts(page, first);
  await page.getByRole('link', { name: 'Integrar novo banco' }).hover();
  await ready;
  const other = await context.newPage();
  await arriveAtAccounts(other, second);
  await page.getByRole('link', { name: 'Integrar novo banco' }).click();
  await expect(page).toHaveURL('/integration/select-bank');
  expect(await isFromAhead(page)).toBe(true);
  await expect(page.getByRole('alertdialog', { name: NOTICE })).toBeVisible();
  await expect(page.getByText('Rui da Segunda Aba')).toHaveCount(0);
  await expect(page.getByLabel('Nome completo do administrador')).not.toHaveValue('Rui da Segunda Aba');
  for (const client of [first, second]) expect(client.of('list-banks')).toEqual([]);
});

test('the same link in two tabs is one session: both go on', async ({ page, context, newClient }) => {
  const client = newClient();
  await page.goto(linkOf(client));
  await comesAlive(page);
  const other = await context.newPage();
  await other.goto(linkOf(client));
  await giveConsent(other);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page).toHaveURL('/integration/accounts');
});
