/** The states of screens that `screens.spec.ts` does not cover (ux.md; WCAG 2.2 AA). */
import { findings } from '../axe.ts';
import { expect, linkOf, test } from '../fixtures.ts';
import { arriveAtBankForm, comesAlive, CONSENT } from '../person.ts';

test('the bank form with its list open, without a match, and with its errors: axe finds nothing', async ({
  page,
  newClient,
}) => {
  await arriveAtBankForm(page, newClient());
  const bank = page.getByRole('combobox');
  await bank.click();
  await expect(page.getByRole('listbox')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await bank.fill('banco de lugar nenhum');
  await expect(page.getByText('Nenhum banco encontrado.', { exact: false }).first()).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Avançar' }).click();
  await expect(page.getByText('CPF do administrador da conta bancária!')).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('a toast: axe finds nothing', async ({ page, newClient, troubles }) => {
  troubles.expect(/status of 504 .*accept_consent/);
  await page.goto(linkOf(newClient().answer('authorize-customer', 'drop')));
  await comesAlive(page);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText('Houve falha na requisição.')).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('a page that does not exist, and the accessibility statement: they begin at their heading, and axe finds nothing', async ({
  page,
  troubles,
}) => {
  troubles.expect(/status of 404/);
  await page.goto('/nothing-here');
  await expect(page.getByRole('heading', { level: 1, name: 'Página não encontrada' })).toBeFocused();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('link', { name: 'Acessibilidade' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Declaração de acessibilidade' })).toBeFocused();
  expect(await findings(page)).toEqual([]);
});
