/** `/integration/select-bank` (spec §2, "Bank and administrator form"; §5). */
import type { Page } from '@playwright/test';
import { ADMIN, BANKS, CPF } from '../client.ts';
import { expect, test } from '../fixtures.ts';
import { arriveAtAccounts, arriveAtBankForm, chooseBank, connectFrame, fillAdministrator } from '../person.ts';

const NO_BANK = 'Obrigatório selecionar o banco!';
const NO_NAME = 'Obrigatório preencher o nome completo do administrador da conta bancária!';
const NO_CPF = 'Obrigatório preencher o CPF do administrador da conta bancária!';
const WRONG_CPF = 'CPF inválido!';

const bank = (page: Page) => page.getByRole('combobox', { name: 'Banco' });
const adminName = (page: Page) => page.getByLabel('Nome completo do administrador');
const adminCpf = (page: Page) => page.getByLabel('CPF do administrador');
const send = (page: Page) => page.getByRole('button', { name: 'Avançar' }).click();

test('title, note, placeholder and the list of banks are those of the spec', async ({ page, newClient }) => {
  await arriveAtBankForm(page, newClient());
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Insira os dados do administrador da conta bancária que deseja integrar.',
  );
  await expect(page.getByText(/administrador.*pode compartilhar.*Open Finance.*integração NÃO será concluída/)).toBeVisible();
  await expect(bank(page)).toHaveAttribute('placeholder', 'Selecione o banco');
  await bank(page).click();
  const names = await page.getByRole('option').allInnerTexts();
  expect(names.map((text) => BANKS.find(({ name }) => text.includes(name))?.code)).toEqual(BANKS.map(({ code }) => code));
});

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

test('messages come and go with every change', async ({ page, newClient }) => {
  await arriveAtBankForm(page, newClient());
  await send(page);
  await adminName(page).pressSequentially('A');
  await expect(page.getByText(NO_NAME)).toBeHidden();
  await adminName(page).press('Backspace');
  await expect(page.getByText(NO_NAME)).toBeVisible();
  await adminCpf(page).pressSequentially('5');
  await expect(page.getByText(NO_CPF)).toBeHidden();
  await expect(page.getByText(WRONG_CPF)).toBeVisible();
  await adminCpf(page).pressSequentially('2998224725');
  await expect(page.getByText(WRONG_CPF)).toBeHidden();
  await chooseBank(page, 'Bradesco');
  await expect(page.getByText(NO_BANK)).toBeHidden();
  await bank(page).fill('');
  await expect(page.getByText(NO_BANK)).toBeVisible();
});

for (const cpf of ['111.111.111-11', '529.982.247-24', '529.982.247-35', '529.982.247']) {
  test(`CPF ${cpf} is not valid @any-size`, async ({ page, newClient }) => {
    await arriveAtBankForm(page, newClient());
    await chooseBank(page, 'Bradesco');
    await fillAdministrator(page, ADMIN, cpf);
    await send(page);
    await expect(page.getByText(WRONG_CPF, { exact: true })).toBeVisible();
    await expect(adminCpf(page)).toBeFocused();
    await expect(page).toHaveURL('/integration/select-bank');
  });
}

test('no bubble of the browser stands in the way, even of a name of spaces @any-size', async ({ page, newClient }) => {
  await arriveAtBankForm(page, newClient());
  await fillAdministrator(page, '   ', CPF);
  await send(page);
  await expect(page.getByText(NO_NAME)).toBeVisible();
  expect(await page.locator('form').evaluate((form) => form instanceof HTMLFormElement && form.noValidate)).toBe(true);
});

test('the CPF is masked as it is typed, and keeps eleven digits', async ({ page, newClient }) => {
  await arriveAtBankForm(page, newClient());
  const field = adminCpf(page);
  await expect(field).toHaveAttribute('inputmode', 'numeric');
  const shown: string[] = [];
  for (const digit of '52998224725') {
    await field.press(digit);
    shown.push(await field.inputValue());
  }
  expect(shown.map((text) => text.replace(/\d/g, '0'))).toEqual([
    '0',
    '00',
    '000',
    '000.0',
    '000.00',
    '000.000',
    '000.000.0',
    '000.000.00',
    '000.000.000',
    '000.000.000-0',
    '000.000.000-00',
  ]);
  await field.pressSequentially('99x');
  await expect(field).toHaveValue(CPF);
});

for (const pasted of ['52998224725', ' 529.982.247-25 ', '529 982 247 25', 'CPF: 529.982.247-25\n']) {
  test(`"${pasted.trim()}" can be pasted @any-size`, async ({ page, newClient }) => {
    await arriveAtBankForm(page, newClient());
    await adminCpf(page).focus();
    await page.keyboard.insertText(pasted);
    await expect(adminCpf(page)).toHaveValue(CPF);
  });
}

test('the caret stays where the person is editing', async ({ page, newClient }) => {
  await arriveAtBankForm(page, newClient());
  const field = adminCpf(page);
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

test('a saved administrator and bank fill the form, and can be changed', async ({ page, newClient }) => {
  const client = newClient({
    widget_account_admin_name: ADMIN,
    widget_account_admin_cpfcnpj: '52998224725',
    widget_account_bank: '237',
  });
  await arriveAtBankForm(page, client);
  await expect(bank(page)).toHaveValue('Banco Bradesco S.A.');
  await expect(adminName(page)).toHaveValue(ADMIN);
  await expect(adminCpf(page)).toHaveValue(CPF);
  await expect(adminName(page)).toBeEditable();
  await expect(adminCpf(page)).toBeEditable();
});

test('only the name is read-only where only the name is the client’s', async ({ page, newClient }) => {
  const client = newClient({ widget_account_admin_name: 'Padaria Pão Quente Ltda' });
  await arriveAtBankForm(page, client);
  await expect(adminName(page)).toHaveValue('Padaria Pão Quente Ltda');
  await expect(adminName(page)).not.toBeEditable();
  await expect(adminCpf(page)).toBeEditable();
});

for (const query of ['nubank', '260', 'NU PAG', 'págamentos']) {
  test(`"${query}" finds Nu Pagamentos @any-size`, async ({ page, newClient }) => {
    await arriveAtBankForm(page, newClient());
    await bank(page).fill(query);
    await expect(page.getByRole('option')).toHaveText([/Nu Pagamentos S\.A\./]);
    await expect(page.getByText('1 banco encontrado', { exact: true })).toBeAttached();
  });
}

test('the form is filled and sent by keyboard alone', async ({ page, newClient }) => {
  await arriveAtBankForm(page, newClient());
  await bank(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('listbox')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toBeHidden();
  await page.keyboard.type('banco');
  await page.keyboard.press('ArrowDown');
  const active = await bank(page).getAttribute('aria-activedescendant');
  await expect(page.locator(`[id="${active}"]`)).toContainText('Banco Santander');
  await page.keyboard.press('Enter');
  await expect(bank(page)).toHaveValue('Banco Santander (Brasil) S.A.');
  await expect(bank(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(adminName(page)).toBeFocused();
  await page.keyboard.type(ADMIN);
  await page.keyboard.press('Tab');
  await page.keyboard.type('52998224725');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/integration/widget');
});

test('the form cannot be sent twice while it is sent', async ({ page, newClient }) => {
  await arriveAtBankForm(page, newClient());
  await chooseBank(page, 'Bradesco');
  await fillAdministrator(page);
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let sent = 0;
  await page.route('**/api/save_bank_form', async (route) => {
    sent += 1;
    await gate;
    await route.continue();
  });
  await send(page);
  const button = page.getByRole('button', { name: 'Avançar' });
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await button.press('Enter');
  release();
  await expect(page).toHaveURL('/integration/widget');
  expect(sent).toBe(1);
});

test('the accounts, not the form, come after Connect in the history', async ({ page, newClient }) => {
  await arriveAtBankForm(page, newClient());
  await chooseBank(page, 'Bradesco');
  await fillAdministrator(page);
  await send(page);
  await connectFrame(page);
  await page.goBack();
  await expect(page).toHaveURL('/integration/accounts');
});

test('a list of banks that does not come can be asked for again', async ({ page, newClient, troubles }) => {
  troubles.expect(/status of 504 .*list_banks/);
  const client = newClient().answer('list-banks', 'cut', undefined);
  await arriveAtAccounts(page, client);
  await page.getByRole('link', { name: 'Integrar novo banco' }).click();
  const words = 'Não foi possível carregar a lista de bancos.';
  await expect(page.getByRole('alert').filter({ hasText: words })).toBeAttached();
  await expect(bank(page)).toHaveAccessibleDescription(words);
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await chooseBank(page, 'Bradesco');
  await expect(bank(page)).toHaveValue('Banco Bradesco S.A.');
});
