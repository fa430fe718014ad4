/** `/cancel/confirm` and `/cancel/success`. */
import { expect, linkOf, test } from '../support/fixtures.ts';
import { arriveAtAccounts, waitForHydration } from '../support/steps.ts';
import { ACCOUNTS } from '../support/widget-api.ts';

const CANCEL = 'Cancelar todas integrações';

test('the button cancels everything once, a reload nothing, and the success takes the place of the question', async ({
  page,
  newClient,
}) => {
  const client = newClient({ widget_type: 'cancel' });
  client.accounts = ACCOUNTS;
  await page.goto('/error/link-not-exists');
  await page.goto(linkOf(client));
  await expect(page.getByRole('cell', { name: ACCOUNTS[0].number })).toBeVisible();
  await page.reload();
  await waitForHydration(page);
  expect(client.requestsOf('cancel-integrations')).toEqual([]);
  const release = client.hold('cancel-integrations');
  const button = page.getByRole('button', { name: CANCEL });
  await button.click();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await expect(button.locator('[class*=spinner]')).toBeVisible();
  await button.click({ force: true });
  release();
  await expect(page).toHaveURL('/cancel/success');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Integrações canceladas com sucesso!');
  await page.goBack();
  await expect(page).toHaveURL('/error/link-not-exists');
  expect(client.requestsOf('cancel-integrations').map(({ body }) => body)).toEqual([{ cpfcnpj: client.data.client_cpfcnpj }]);
});

test('a cancellation without an answer can be pressed again; Back after it agrees that one talks to the firm', async ({
  page,
  newClient,
  browserErrors,
}) => {
  browserErrors.expect(/status of 504 .*cancel_integrations/);
  const client = newClient().respond('cancel-integrations', 'drop', undefined);
  client.accounts = ACCOUNTS;
  await arriveAtAccounts(page, client);
  await page.getByRole('link', { name: 'clique aqui' }).click();
  await waitForHydration(page);
  const button = page.getByRole('button', { name: CANCEL });
  await button.press('Enter');
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText('Houve falha na requisição.')).toBeVisible();
  await expect(button).not.toHaveAttribute('aria-busy', 'true');
  await expect(button).toBeFocused();
  client.accounts = [];
  await button.click();
  await expect(page).toHaveURL('/cancel/success');
  await page.goBack();
  await expect(page).toHaveURL('/integration/accounts');
  await expect(page.getByText(/^Você cancelou em .* Para conectar de novo, fale com Contábil Horizonte & Filhos\.$/)).toBeVisible();
  await expect(page.locator('.button--primary:visible')).toHaveCount(0);
  await expect(page.getByRole('cell', { name: ACCOUNTS[0].number })).toBeHidden();
  await page.goForward();
  await expect(page).toHaveURL('/cancel/success');
  expect(client.requestsOf('cancel-integrations')).toHaveLength(2);
});

test('a cancellation ends what was linked at the bank and could not be delivered', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(/finish_connect/);
  const client = newClient();
  client.accounts = ACCOUNTS;
  await arriveAtAccounts(page, client);
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
  await page.route('**/api/finish_connect', (route) => route.abort());
  await page.evaluate(() => {
    const session = document.getElementById('other-tab')?.dataset.session;
    sessionStorage.setItem(`vincula-item:${session}`, JSON.stringify({ itemId: 'an-item', bank: 'Inter', at: Date.now() }));
  });
  await page.goto('/cancel/confirm');
  await expect(page.getByRole('row').filter({ hasText: 'Inter' })).toBeVisible();
  await page.getByRole('button', { name: CANCEL }).click();
  await expect(page).toHaveURL('/cancel/success');
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});
