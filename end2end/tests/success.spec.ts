/** `/integration/success`. */
import { expect, linkOf, test } from '../fixtures.ts';
import { waitForHydration } from '../journey-steps.ts';

const DONE = 'Integração concluída com sucesso!';

test('the success is reported once, and a reload does not repeat it', async ({ page, newClient }) => {
  const client = newClient();
  await page.goto(linkOf(client, '&of-success'));
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  await expect(page.locator('main img')).toBeVisible();
  await expect.poll(() => client.requestsOf('success').map(({ body }) => body)).toEqual([{ token: client.token }]);
  for (const _ of [1, 2]) {
    await page.reload();
    await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
    await waitForHydration(page);
  }
  expect(client.requestsOf('success')).toHaveLength(1);
});

test('the screen does not wait for the call', async ({ page, newClient }) => {
  const client = newClient();
  const release = client.hold('success');
  await page.goto(linkOf(client, '&of-success'));
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  await expect.poll(() => client.requestsOf('success')).toHaveLength(1);
  release();
});

test('"Integrar outra conta bancária" leads to the accounts', async ({ page, newClient }) => {
  await page.goto(linkOf(newClient(), '&of-success'));
  await page.getByRole('link', { name: 'Integrar outra conta bancária' }).click();
  await expect(page).toHaveURL('/integration/accounts');
});

test('"Concluir integração" hides the buttons', async ({ page, newClient }) => {
  await page.goto(linkOf(newClient(), '&of-success'));
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Concluir integração' }).click();
  await expect(page.getByRole('button', { name: 'Concluir integração' })).toBeHidden();
  await expect(page.getByRole('link', { name: 'Integrar outra conta bancária' })).toBeHidden();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
});

test('a button that is pressed before its island works does its work then', async ({ page, newClient }) => {
  let load = (): void => {};
  const loads = new Promise<void>((done) => {
    load = done;
  });
  await page.route('**/pkg/*.wasm', async (route) => {
    await loads;
    await route.continue();
  });
  await page.goto(linkOf(newClient(), '&of-success'));
  await page.getByRole('button', { name: 'Concluir integração' }).click();
  load();
  await expect(page.getByRole('button', { name: 'Concluir integração' })).toBeHidden();
  await expect(page.getByText('Tudo certo. Você já pode fechar esta página.')).toBeFocused();
});

test('a call without an answer toasts, stays, and is made again by a reload', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(/status of 504 .*confirm_success/);
  const client = newClient().respond('success', 'drop');
  await page.goto(linkOf(client, '&of-success'));
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText('Houve falha na requisição.')).toBeVisible();
  await expect(page).toHaveURL('/integration/success');
  client.respond('success', undefined);
  const before = client.requestsOf('success').length;
  await page.reload();
  await expect.poll(() => client.requestsOf('success')).toHaveLength(before + 1);
});
