/** `/cancel/confirm` and `/cancel/success`. */
import { ACCOUNTS } from '../client.ts';
import { installClock } from '../clock.ts';
import { expect, linkOf, test } from '../fixtures.ts';
import { arriveAtAccounts, waitForHydration } from '../journey-steps.ts';

const CANCEL = 'Cancelar todas integrações';
const cancelling = { widget_type: 'cancel' };

test('the screen asks, lists the accounts, and has a way back that cancels nothing', async ({ page, newClient }) => {
  const client = newClient(cancelling);
  client.accounts = ACCOUNTS;
  await page.goto(linkOf(client));
  await expect(page).toHaveURL('/cancel/confirm');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Tem certeza que deseja cancelar todas essas contas bancárias integradas?',
  );
  await expect(page.getByRole('columnheader')).toHaveText(['Banco', 'Agência', 'Conta', 'Nome']);
  for (const { bank, agency, number, name } of ACCOUNTS) {
    const row = page.getByRole('row').filter({ hasText: number });
    await expect(row.getByRole('cell')).toHaveText([bank, agency, number, name]);
  }
  await expect(page.getByText(/[Pp]ara integrar novamente.*contato com Contábil Horizonte & Filhos/)).toBeVisible();
  await expect(page.getByText('Os já recebidos podem continuar guardados')).toBeVisible();
  const button = page.getByRole('button', { name: CANCEL });
  const [red = 0, green = 0, blue = 0] = await button.evaluate((element) =>
    (/\d+(?:, \d+)*/.exec(getComputedStyle(element).backgroundColor)?.[0] ?? '').split(', ').map(Number),
  );
  expect(red).toBeGreaterThan(2 * Math.max(green, blue));
  await page.getByRole('link', { name: 'Voltar sem cancelar' }).click();
  await expect(page).toHaveURL('/integration/accounts');
  expect(client.requestsOf('cancel-integrations')).toEqual([]);
});

test('the button cancels everything once, and the success screen follows', async ({ page, newClient }) => {
  const client = newClient(cancelling);
  client.accounts = ACCOUNTS;
  const release = client.hold('cancel-integrations');
  await page.goto(linkOf(client));
  await waitForHydration(page);
  const button = page.getByRole('button', { name: CANCEL });
  await button.click();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await expect(button.locator('[class*=spinner]')).toBeVisible();
  await button.click({ force: true });
  release();
  await expect(page).toHaveURL('/cancel/success');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Integrações canceladas com sucesso!');
  const says = /^Você cancelou em .* Para conectar de novo, fale com Contábil Horizonte & Filhos\.$/;
  await expect(page.getByText(says)).toBeVisible();
  expect(client.requestsOf('cancel-integrations').map(({ body }) => body)).toEqual([{ cpfcnpj: client.data.client_cpfcnpj }]);
  expect(client.requestsOf('success')).toEqual([]);
});

test('the way back from the success does not lead to the question again', async ({ page, newClient }) => {
  const client = newClient(cancelling);
  client.accounts = ACCOUNTS;
  await page.goto('/error/link-not-exists');
  await page.goto(linkOf(client));
  await waitForHydration(page);
  await page.getByRole('button', { name: CANCEL }).click();
  await expect(page).toHaveURL('/cancel/success');
  await page.goBack();
  await expect(page).toHaveURL('/error/link-not-exists');
  await page.goto('/cancel/confirm');
  await expect(page).toHaveURL('/cancel/success');
  expect(client.requestsOf('cancel-integrations')).toHaveLength(1);
});

test('a cancellation without an answer toasts, stays, and can be pressed again', async ({
  page,
  newClient,
  browserErrors,
}) => {
  browserErrors.expect(/status of 504 .*cancel_integrations/);
  const client = newClient(cancelling).respond('cancel-integrations', 'drop');
  client.accounts = ACCOUNTS;
  await page.goto(linkOf(client));
  await waitForHydration(page);
  const button = page.getByRole('button', { name: CANCEL });
  await button.click();
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText('Houve falha na requisição.')).toBeVisible();
  await expect(page).toHaveURL('/cancel/confirm');
  await expect(button).not.toHaveAttribute('aria-busy', 'true');
  client.respond('cancel-integrations', undefined);
  await button.click();
  await expect(page).toHaveURL('/cancel/success');
});

test('a list that does not come can be asked for again', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(/status of 504 .*list_accounts/);
  const client = newClient(cancelling).respond('list-accounts', 'drop');
  client.accounts = ACCOUNTS;
  await page.goto(linkOf(client));
  const again = page.getByRole('button', { name: 'Tentar de novo' });
  await expect(again).toBeVisible();
  client.respond('list-accounts', undefined);
  await again.click();
  await expect(page.getByRole('cell', { name: ACCOUNTS[1].number })).toBeVisible();
});

test('with nothing to cancel there is no question and no red button, but a way to the accounts', async ({ page, newClient }) => {
  await page.goto(linkOf(newClient(cancelling)));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Você não tem contas conectadas.');
  await expect(page.getByRole('button', { name: CANCEL })).toBeHidden();
  await expect(page.getByRole('table')).toBeHidden();
  await expect(page.getByText('Para integrar novamente')).toBeHidden();
  await page.getByRole('link', { name: 'Ver minhas contas' }).click();
  await expect(page).toHaveURL('/integration/accounts');
});

test('a list or a cancellation that takes long is told as slow, and the way back is there meanwhile', async ({ page, newClient }) => {
  const client = newClient(cancelling);
  client.accounts = ACCOUNTS;
  const slow = page.getByText('Está demorando mais que o normal…');
  await installClock(page);
  const [list, cancel] = [client.hold('list-accounts'), client.hold('cancel-integrations')];
  await page.goto(linkOf(client));
  await waitForHydration(page);
  await expect(page.getByRole('link', { name: 'Voltar', exact: true })).toHaveAttribute('href', '/integration/accounts');
  await expect(slow).toBeHidden();
  await page.clock.runFor(8100);
  await expect(slow).toBeVisible();
  list();
  await expect(slow).toBeHidden();
  await page.getByRole('button', { name: CANCEL }).click();
  await page.clock.runFor(8100);
  await expect(slow).toBeVisible();
  cancel();
  await expect(page).toHaveURL('/cancel/success');
});

test('Back after a cancellation agrees that one talks to the firm', async ({ page, newClient }) => {
  const client = newClient();
  client.accounts = ACCOUNTS;
  await arriveAtAccounts(page, client);
  await page.getByRole('link', { name: 'clique aqui' }).click();
  await expect(page.getByRole('cell', { name: ACCOUNTS[1].number })).toBeVisible();
  client.accounts = [];
  await page.getByRole('button', { name: CANCEL }).click();
  await expect(page).toHaveURL('/cancel/success');
  await page.goBack();
  await expect(page).toHaveURL('/integration/accounts');
  const says = /^Você cancelou em .* Para conectar de novo, fale com Contábil Horizonte & Filhos\.$/;
  await expect(page.getByText(says)).toBeVisible();
  await expect(page.locator('.button--primary:visible')).toHaveCount(0);
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
