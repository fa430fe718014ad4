/** `/integration/select-bank`. */
import type { Page } from '@playwright/test';
import { ADMIN, BANKS, CPF } from '../client.ts';
import { expect, test } from '../fixtures.ts';
import { arriveAtBankForm, chooseBank, connectFrame, fillAdministrator } from '../journey-steps.ts';
import { startSession } from '../session.ts';

test.use({ withConnect: true });

const NO_BANK = 'Obrigatório selecionar o banco!';
const NO_NAME = 'Obrigatório preencher o nome completo do administrador da conta bancária!';
const NO_CPF = 'Obrigatório preencher o CPF do administrador da conta bancária!';
const WRONG_CPF = 'CPF inválido!';

const bank = (page: Page) => page.getByRole('combobox', { name: 'Banco' });
const adminName = (page: Page) => page.getByLabel('Nome completo do administrador');
const adminCpf = (page: Page) => page.getByLabel('CPF do administrador');
const send = (page: Page) => page.getByRole('button', { name: 'Avançar' }).click();

test('an empty form shows the three messages, and takes the person to the first field', async ({ page, newClient }) => {
  await arriveAtBankForm(page, newClient());
  await send(page);
  for (const message of [NO_BANK, NO_NAME, NO_CPF]) await expect(page.getByText(message, { exact: true })).toBeVisible();
  await expect(bank(page)).toBeFocused();
  await expect(bank(page)).toHaveAccessibleDescription(new RegExp(NO_BANK));
  await expect(adminName(page)).toHaveAccessibleDescription(NO_NAME);
  await expect(adminCpf(page)).toHaveAccessibleDescription(NO_CPF);
  await expect(page.getByText('Há 3 campos a corrigir.')).toBeAttached();
  await expect(page).toHaveURL('/integration/select-bank');
});

test('the CPF is masked as it is typed or pasted, and the caret stays where the person is editing', async ({
  page,
  newClient,
}) => {
  await arriveAtBankForm(page, newClient());
  const field = adminCpf(page);
  await expect(field).toHaveAttribute('inputmode', 'numeric');
  await field.pressSequentially('5299822472599x');
  await expect(field).toHaveValue(CPF);
  await field.fill('');
  await page.keyboard.insertText('CPF: 529.982.247-25\n');
  await expect(field).toHaveValue(CPF);
  const caret = () => field.evaluate((input) => (input instanceof HTMLInputElement ? input.selectionStart : null));
  await field.fill('529.982.247-2');
  await field.press('Home');
  await field.press('ArrowRight');
  await field.press('7');
  await expect(field).toHaveValue('572.998.224-72');
  expect(await caret()).toBe(2);
  await field.press('Backspace');
  await expect(field).toHaveValue('529.982.247-2');
  expect(await caret()).toBe(1);
});

test('what the server rejects is shown under its field, and nothing typed is lost', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(/status of 422 .*save_bank_form/);
  await arriveAtBankForm(page, newClient());
  await chooseBank(page, 'Bradesco');
  await fillAdministrator(page);
  // As if the form's own check had passed it.
  await page.route('**/api/save_bank_form', (route) =>
    route.continue({ postData: (route.request().postData() ?? '').replace(CPF, '529.982.247-24') }),
  );
  await send(page);
  await expect(page.getByText(WRONG_CPF, { exact: true })).toBeVisible();
  await expect(adminCpf(page)).toBeFocused();
  await expect(bank(page)).toHaveValue('Bradesco');
  await page.unroute('**/api/save_bank_form');
  await adminCpf(page).fill('');
  await adminCpf(page).fill(CPF);
  await send(page);
  await expect(page).toHaveURL('/integration/widget');
});

test('an individual is their own administrator: both fields are filled and cannot be changed', async ({
  page,
  newClient,
}) => {
  const client = newClient({ client_name: 'Marina Alves', client_cpfcnpj: '41708293523' });
  await arriveAtBankForm(page, client);
  await expect(adminName(page)).toHaveValue('Marina Alves');
  await expect(adminCpf(page)).toHaveValue('417.082.935-23');
  await expect(adminName(page)).not.toBeEditable();
  await expect(adminCpf(page)).not.toBeEditable();
  await chooseBank(page, 'Nu Pagamentos');
  await send(page);
  const frame = await connectFrame(page);
  await expect(frame.getByTestId('props')).toContainText('"openFinanceParameters":{"cpf":"41708293523"}');
});

test('the form is filled and sent by keyboard alone @desktop', async ({ page, newClient }) => {
  await arriveAtBankForm(page, newClient());
  await bank(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('listbox')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toBeHidden();
  await page.keyboard.type('banco');
  await page.keyboard.press('ArrowDown');
  const active = await bank(page).getAttribute('aria-activedescendant');
  await expect(page.locator(`[id="${active}"]`)).toContainText('Bradesco');
  await page.keyboard.press('Enter');
  await expect(bank(page)).toHaveValue('Bradesco');
  await expect(bank(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByText('Não é você?')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(adminName(page)).toBeFocused();
  await page.keyboard.type(ADMIN);
  await page.keyboard.press('Tab');
  await page.keyboard.type('52998224725');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/integration/widget');
});

test('a typed bank is taken when the field is left, and where none is found all are one press away', async ({
  page,
  newClient,
}) => {
  await arriveAtBankForm(page, newClient());
  await bank(page).pressSequentially('nu bank');
  await page.keyboard.press('Tab');
  await expect(bank(page)).toHaveValue('Nubank');
  await expect(page.getByText('Banco escolhido: Nubank')).toBeAttached();
  await expect(page.getByText('Não é você?')).toBeFocused();
  await bank(page).fill('ban');
  await page.keyboard.press('Tab');
  await expect(bank(page)).toHaveValue('ban');
  await expect(page.getByText('Toque no seu banco na lista.')).toBeVisible();
  await bank(page).fill('xyzzy');
  await page.getByRole('option', { name: 'Ver todos os bancos' }).click();
  await expect(page.getByRole('option')).toHaveCount(BANKS.length);
  await expect(bank(page)).toHaveValue('');
  await expect(bank(page)).toBeFocused();
});

test('a list of banks that does not come can be asked for again', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(/status of 504 .*list_banks/);
  const client = newClient().respond('list-banks', 'cut', undefined);
  await startSession(page, client, 'consented');
  await page.goto('/integration/select-bank');
  const words = 'Não foi possível carregar a lista de bancos.';
  await expect(page.getByRole('alert').filter({ hasText: words })).toBeAttached();
  await expect(bank(page)).toHaveAccessibleDescription(words);
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await chooseBank(page, 'Bradesco');
  await expect(bank(page)).toHaveValue('Bradesco');
});
