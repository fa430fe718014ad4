/** The program on its embedded sandbox: its list of links. Its journey and Connect page: `keyboard.spec.ts`. */
import { expect, test } from '../fixtures.ts';
import { embeddedConnect } from '../journey-steps.ts';

test.use({ mode: 'sandbox' });

test('a link of the list renews its item', async ({ page }) => {
  await page.goto('/sandbox');
  const link = page.locator('a[href*="demo-atualizar"]').first();
  await page.goto((await link.getAttribute('href')) ?? '');
  await expect(page).toHaveURL('/integration/update');
  await embeddedConnect(page).getByRole('button', { name: 'Conectar com sucesso' }).click();
  await expect(page.getByRole('heading', { name: 'Integração concluída com sucesso!' })).toBeVisible();
});
