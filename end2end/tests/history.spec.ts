/** Reload, Back and Forward in the middle of every step. */
import { ACCOUNTS, ADMIN, CPF } from '../client.ts';
import { expect, linkOf, test } from '../fixtures.ts';
import {
  arriveAtAccounts,
  arriveAtBankForm,
  arriveAtConnect,
  arriveAtUpdate,
  connectFrame,
  goToConnect,
  waitForHydration,
} from '../journey-steps.ts';

test.use({ withConnect: true });

const DONE = 'Integração concluída com sucesso!';

test('a reload while the link is validated validates it again', async ({ page, newClient }) => {
  const client = newClient();
  const release = client.hold('validate-token');
  await page.goto(linkOf(client));
  await expect.poll(() => client.calls.length).toBe(1);
  await page.reload();
  await expect.poll(() => client.calls.length).toBe(2);
  release();
  await expect(page).toHaveURL('/integration/widget');
});

test('a reload of the consent shows the consent, unticked', async ({ page, newClient }) => {
  await page.goto(linkOf(newClient()));
  await page.getByRole('checkbox').check();
  await page.reload();
  await expect(page).toHaveURL('/integration/widget');
  await expect(page.getByRole('checkbox')).not.toBeChecked();
  await waitForHydration(page);
});

test('a reload of the accounts shows the accounts', async ({ page, newClient }) => {
  const client = newClient();
  client.accounts = [ACCOUNTS[0]];
  await arriveAtAccounts(page, client);
  await page.reload();
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
});

test('a reload of the bank form shows the bank form', async ({ page, newClient }) => {
  await arriveAtBankForm(page, newClient());
  await page.reload();
  await expect(page).toHaveURL('/integration/select-bank');
  await expect(page.getByRole('combobox')).toBeEditable();
});

test('a reload of Connect opens it with a new token', async ({ page, newClient }) => {
  const client = newClient();
  await arriveAtConnect(page, client);
  await page.reload();
  const frame = await connectFrame(page);
  expect(client.requestsOf('connect-token')).toHaveLength(2);
  await frame.getByRole('button').click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
});

test('a reload of the update opens it again', async ({ page, newClient }) => {
  await arriveAtUpdate(page, newClient({ widget_type: 'update', link_id: 'link-1' }));
  await page.reload();
  await expect(page).toHaveURL('/integration/update');
  await connectFrame(page);
});

test('a reload of the cancellation cancels nothing, nor does one of its success', async ({ page, newClient }) => {
  const client = newClient({ widget_type: 'cancel' });
  client.accounts = [ACCOUNTS[0]];
  await page.goto(linkOf(client));
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
  await page.reload();
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
  expect(client.requestsOf('cancel-integrations')).toEqual([]);
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
  await expect(page).toHaveURL('/cancel/success');
  await page.reload();
  await expect(page).toHaveURL('/cancel/success');
  expect(client.requestsOf('cancel-integrations')).toHaveLength(1);
});

test('Back and Forward between accounts and bank form keep both whole', async ({ page, newClient }) => {
  const client = newClient();
  client.accounts = [ACCOUNTS[0]];
  await arriveAtAccounts(page, client);
  await page.getByRole('link', { name: 'Integrar novo banco' }).click();
  await expect(page.getByRole('combobox')).toBeEditable();
  await page.goBack();
  await expect(page).toHaveURL('/integration/accounts');
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
  await page.goForward();
  await expect(page).toHaveURL('/integration/select-bank');
  await expect(page.getByRole('combobox')).toBeEditable();
});

test('Back from Connect leads to the accounts; Forward starts at the bank form, filled', async ({
  page,
  newClient,
}) => {
  await goToConnect(page, newClient());
  await page.goBack();
  await expect(page).toHaveURL('/integration/accounts');
  await page.goForward();
  await expect(page).toHaveURL('/integration/select-bank');
  await expect(page.getByLabel('Nome completo do administrador')).toHaveValue(ADMIN);
  await expect(page.getByLabel('CPF do administrador')).toHaveValue(CPF);
});

test('after the success, Back leads to the accounts, and Forward to the success, reported once', async ({
  page,
  newClient,
}) => {
  const client = newClient();
  const frame = await goToConnect(page, client);
  await frame.getByRole('button').click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  await expect.poll(() => client.requestsOf('success')).toHaveLength(1);
  await waitForHydration(page);
  await page.goBack();
  await expect(page).toHaveURL('/integration/accounts');
  await page.goForward();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  await waitForHydration(page);
  expect(client.requestsOf('success')).toHaveLength(1);
});

test('an error screen takes the place of the screen that failed', async ({ page }) => {
  await page.goto('/error/link-not-updated');
  await page.goto('/?nothing');
  await expect(page).toHaveURL('/error/token-not-found');
  await page.goBack();
  await expect(page).toHaveURL('/error/link-not-updated');
});
