/** `/integration/receipt`: the proof of the authorization, on the screen and on paper. */
import { expect, test } from '../fixtures.ts';
import { waitForHydration } from '../journey-steps.ts';
import { startSession } from '../session.ts';

test('success and accounts lead to the receipt, which names everything', async ({ page, newClient }) => {
  const client = newClient();
  await startSession(page, client, 'linked');
  await page.goto('/integration/success');
  await waitForHydration(page);
  await expect(page.getByRole('definition').filter({ hasText: 'Itaú' })).toBeVisible();
  await page.getByRole('link', { name: 'Comprovante' }).click();
  await expect(page).toHaveURL('/integration/receipt');
  const facts = page.locator('dl');
  for (const fact of [client.data.client_name, client.data.customer_name, 'CNPJ **.817.256/0001-**', /Itaú, em \d\d\/\d\d\//]) {
    await expect(facts).toContainText(fact);
  }
  await page.getByRole('link', { name: 'Voltar para as contas' }).click();
  await page.getByRole('link', { name: 'Comprovante da autorização' }).click();
  await expect(page.getByRole('heading', { name: 'Comprovante de autorização' })).toBeVisible();
});

test('on paper it is black on white, also in the dark, without controls', async ({ page, newClient }) => {
  await startSession(page, newClient(), 'linked');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.goto('/integration/receipt');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toBeVisible();
  const colors = await heading.evaluate((element) => [
    getComputedStyle(element).color,
    getComputedStyle(document.body).backgroundColor,
    getComputedStyle(document.documentElement).colorScheme,
  ]);
  expect(colors).toEqual(['rgb(0, 0, 0)', 'rgba(0, 0, 0, 0)', 'light']);
  await expect(page.getByText('Quem foi autorizado')).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(page.getByRole('link', { name: 'Voltar para as contas' })).toBeHidden();
  await expect(page.getByText('Para guardar, imprima')).toBeHidden();
});
