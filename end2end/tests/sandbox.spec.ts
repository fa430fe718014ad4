/** The program on its embedded sandbox: the whole journey without any upstream, and the cast of links (design §6). */
import { demoLink, expect, test } from '../fixtures.ts';
import { chooseBank, CONSENT, fillAdministrator, giveConsent } from '../person.ts';

test.use({ mode: 'sandbox' });

const DONE = 'Integração concluída com sucesso!';
const CONNECT = 'iframe[title="Pluggy"][name^="__zoid__pluggy_connect_widget__"]';

test('a company links its first account', async ({ page }) => {
  await page.goto(demoLink('demo-novo'));
  await expect(page).toHaveURL('/integration/widget');
  await giveConsent(page);
  await page.getByRole('link', { name: 'Integrar novo banco' }).click();
  await chooseBank(page, 'Itaú');
  await fillAdministrator(page);
  await page.getByRole('button', { name: 'Avançar' }).click();
  const frame = page.frameLocator(CONNECT);
  await expect(frame.getByText('***.982.247-**')).toBeVisible();
  await frame.getByRole('button', { name: 'Conectar com sucesso' }).click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  await page.getByRole('link', { name: 'Integrar outra conta bancária' }).click();
  await expect(page.getByRole('cell', { name: 'Padaria Aurora Ltda' })).toBeVisible({ timeout: 15_000 });
});

test('an individual needs to choose the bank only', async ({ page }) => {
  await page.goto(demoLink('demo-pessoa'));
  await giveConsent(page);
  await page.goto('/integration/select-bank');
  await chooseBank(page, 'Itaú');
  await page.getByRole('button', { name: 'Avançar' }).click();
  await expect(page.frameLocator(CONNECT).getByText('***.082.935-**')).toBeVisible();
});

test('the update renews its item', async ({ page }) => {
  await page.goto(demoLink('demo-atualizar'));
  await expect(page).toHaveURL('/integration/update');
  await page.frameLocator(CONNECT).getByRole('button', { name: 'Conectar com sucesso' }).click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
});

test('the cancellation ends its three accounts', async ({ page }) => {
  await page.goto(demoLink('demo-cancelar'));
  await expect(page.locator('tbody').getByRole('row')).toHaveCount(3);
  await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
  await expect(page).toHaveURL('/cancel/success');
  await page.goto('/integration/accounts');
  await expect(page.getByText('Nenhuma conta autorizada.')).toBeVisible();
});

for (const { name, extra = '', to, status } of [
  { name: 'demo-alfanumerico', to: '/integration/widget' },
  { name: 'demo-contas', to: '/integration/widget' },
  { name: 'demo-retorno', extra: '&of-success=true', to: '/integration/success' },
  { name: 'demo-retorno', to: '/error/token-expired', status: 502 },
  { name: 'demo-expirado', to: '/error/token-expired', status: 502 },
  { name: 'demo-inexistente', to: '/error/token-not-exists', status: 502 },
  { name: 'demo-invalido', to: '/error/token-invalid', status: 502 },
  { name: 'demo-malformado', to: '/error/token-invalid', status: 502 },
  { name: 'demo-item-inexistente', to: '/error/link-not-exists', status: 502 },
]) {
  test(`${name}${extra} leads to ${to} @any-size`, async ({ page, troubles }) => {
    if (status !== undefined) troubles.expect(new RegExp(`status of ${status}`));
    await page.goto(demoLink(name, extra));
    await expect(page).toHaveURL(to);
  });
}

test('demo-sem-resposta stays and toasts @any-size', async ({ page, troubles }) => {
  troubles.expect(/status of 504 .*validate_token/);
  await page.goto(demoLink('demo-sem-resposta'));
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText('Houve falha na requisição.')).toBeVisible();
});

test('demo-erro-500 fails at the consent @any-size', async ({ page, troubles }) => {
  troubles.expect(/status of 502 .*accept_consent/);
  await page.goto(demoLink('demo-erro-500'));
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page).toHaveURL('/error/token-invalid');
});

test('demo-sem-alteracao ends in link-not-updated @any-size', async ({ page, troubles }) => {
  troubles.expect(/status of 502 .*finish_connect/);
  await page.goto(demoLink('demo-sem-alteracao'));
  await page.frameLocator(CONNECT).getByRole('button', { name: 'Conectar com sucesso' }).click();
  await expect(page).toHaveURL('/error/link-not-updated');
});

test('/sandbox lists the links @any-size', async ({ page }) => {
  await page.goto('/sandbox');
  await expect(page.getByRole('link').filter({ hasText: /./ })).not.toHaveCount(0);
  await expect(page.locator('a[href*="demo-novo"]').first()).toBeVisible();
});
