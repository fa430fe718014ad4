/** The part of the journey that works without JavaScript: consent, accounts and cancellation are plain forms. */
import { ACCOUNTS } from '../client.ts';
import { expect, linkOf, SCRIPT_LEFT_OUT, test } from '../fixtures.ts';
import { CONSENT } from '../journey-steps.ts';

test.use({ javaScriptEnabled: false });

test('the consent is given by a plain form, but not without the tick', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(SCRIPT_LEFT_OUT);
  const client = newClient();
  client.accounts = [ACCOUNTS[0]];
  await page.goto(linkOf(client));
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page).toHaveURL('/integration/widget?validado=1');
  await page.getByRole('button', { name: CONSENT }).click({ force: true });
  expect(client.requestsOf('authorize-customer')).toEqual([]);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page).toHaveURL(/\/integration\/accounts/);
  expect(client.requestsOf('authorize-customer')).toHaveLength(1);
  await page.getByRole('link', { name: 'Ver as contas' }).click();
  await expect(page.getByRole('cell', { name: ACCOUNTS[0].number })).toBeVisible();
});

test('everything is cancelled by a plain form', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(SCRIPT_LEFT_OUT);
  const client = newClient({ widget_type: 'cancel' });
  client.accounts = ACCOUNTS;
  await page.goto(linkOf(client));
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page).toHaveURL('/cancel/confirm?validado=1');
  await page.getByRole('link', { name: 'Ver as contas' }).click();
  await expect(page.getByRole('cell', { name: ACCOUNTS[1].number })).toBeVisible();
  await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
  await expect(page).toHaveURL('/cancel/success');
  expect(client.requestsOf('cancel-integrations').map(({ body }) => body)).toEqual([{ cpfcnpj: client.data.client_cpfcnpj }]);
});
