/** Connect on `/integration/widget`: every way it can go (spec §2, §4, §7; design D6, D9, D14; pluggy.md). */
import type { Page } from '@playwright/test';
import { CPF, type Client } from '../client.ts';
import { installClock } from '../clock.ts';
import { ITEM_ID, PENDING, zoidVersions } from '../connect-stand-in.ts';
import { expect, test } from '../fixtures.ts';
import { arriveAtBankForm, arriveAtConnect, chooseBank, connectFrame, fillAdministrator } from '../person.ts';

const DONE = 'Integração concluída com sucesso!';
const frames = (page: Page) => page.locator('iframe[title="Pluggy"]');

/** What was logged about the widget itself. */
const widgetLog = (client: Client) => client.log.filter(({ type }) => String(type).startsWith('pluggy-widget'));

test('the stand-in speaks with the zoid that the SDK bundles @any-size', () => {
  expect(zoidVersions()).toEqual({ sdk: '9.0.63', standIn: '9.0.63' });
});

test('a spinner shows until the connect token arrives, then the widget', async ({ page, newClient }) => {
  const client = newClient();
  const release = client.hold('connect-token');
  await arriveAtBankForm(page, client);
  await chooseBank(page, 'Bradesco');
  await fillAdministrator(page);
  await page.getByRole('button', { name: 'Avançar' }).click();
  await expect(page).toHaveURL('/integration/widget');
  await expect(page.getByText('Preparando a conexão segura com o seu banco…')).toBeVisible();
  await expect.poll(() => client.of('connect-token')).toHaveLength(1);
  await expect(frames(page)).toHaveCount(0);
  release();
  await connectFrame(page);
});

test('the widget starts with the token, no item to update, the sandbox connectors and the documents', async ({
  page,
  newClient,
}) => {
  const frame = await arriveAtConnect(page, newClient());
  const props: unknown = JSON.parse(await frame.getByTestId('props').innerText());
  expect(props).toEqual({
    includeSandbox: true,
    language: 'pt',
    theme: expect.stringMatching(/^(light|dark)$/),
    openFinanceParameters: { cpf: '52998224725', cnpj: '40817256000100' },
  });
});

test('a success closes the widget and leads to the success screen', async ({ page, newClient }) => {
  const client = newClient();
  const frame = await arriveAtConnect(page, client);
  await frame.getByRole('button').click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  await expect(page).toHaveURL('/integration/success');
  await page.goBack();
  await expect(page).toHaveURL('/integration/accounts');
});

for (const scenario of ['success+success', 'success+close']) {
  test(`"${scenario}" counts as one success @any-size`, async ({ page, newClient }) => {
    const client = newClient();
    client.scenario = scenario;
    const frame = await arriveAtConnect(page, client);
    await frame.getByRole('button').click();
    await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
    await expect.poll(() => client.of('success')).toHaveLength(1);
    expect(widgetLog(client)).toEqual([
      { type: 'pluggy-widget-success', status: 'SUCCESS', data: { item: { id: ITEM_ID } } },
    ]);
  });
}

test('errors are logged and nothing else; a success may follow', async ({ page, newClient }) => {
  const client = newClient();
  client.scenario = 'error-error-success';
  const frame = await arriveAtConnect(page, client);
  const error = {
    type: 'pluggy-widget-error',
    status: 'ERROR',
    data: { message: 'INVALID_CREDENTIALS', item: { id: ITEM_ID } },
  };
  for (const errors of [1, 2]) {
    await frame.getByRole('button').click();
    await expect.poll(() => widgetLog(client)).toEqual(Array(errors).fill(error));
    await expect(frame.getByRole('heading', { name: 'Banco de teste' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
  await frame.getByRole('button').click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  await expect.poll(() => widgetLog(client)).toHaveLength(3);
});

test('documents and tokens in an error do not reach the log @any-size', async ({ page, newClient }) => {
  const client = newClient();
  client.scenario = 'secret';
  const frame = await arriveAtConnect(page, client);
  await frame.getByRole('button').click();
  await expect.poll(() => widgetLog(client)).toHaveLength(1);
  const logged = JSON.stringify(widgetLog(client));
  expect(logged).toContain('login of');
  for (const secret of [CPF, '52998224725', client.connectToken, client.token]) expect(logged).not.toContain(secret);
});

test('a pending approval is shown calmly, and the way on is open', async ({ page, newClient }) => {
  const client = newClient();
  client.scenario = 'pending-close';
  const frame = await arriveAtConnect(page, client);
  await frame.getByRole('button').click();
  await expect(page.getByRole('status').getByText('Aguardando a aprovação de outro responsável')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect.poll(() => widgetLog(client)).toEqual([
    { type: 'pluggy-widget-error', status: 'ERROR', data: { message: PENDING, item: { id: ITEM_ID } } },
  ]);
  await frame.getByRole('button').click();
  await expect(page).toHaveURL('/integration/accounts');
});

for (const scenario of ['close', 'error+close']) {
  test(`"${scenario}" leads to the accounts, and the next bank starts at the form`, async ({ page, newClient }) => {
    const client = newClient();
    client.scenario = scenario;
    const frame = await arriveAtConnect(page, client);
    await frame.getByRole('button').click();
    await expect(page).toHaveURL('/integration/accounts');
    await page.getByRole('link', { name: 'Integrar novo banco' }).click();
    await expect(page).toHaveURL('/integration/select-bank');
    await expect(page.getByRole('combobox')).toHaveValue('');
    await expect(page.getByLabel('CPF do administrador')).toHaveValue(CPF);
    expect(client.of('success')).toEqual([]);
  });
}

test('Escape inside the frame closes it', async ({ page, newClient }) => {
  const frame = await arriveAtConnect(page, newClient());
  await frame.getByRole('button').focus();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/integration/accounts');
});

test('the dialog has a name and the focus; Escape on it closes it', async ({ page, newClient }) => {
  await arriveAtConnect(page, newClient());
  const dialog = page.getByRole('dialog', { name: 'Conexão com o banco' });
  await expect(dialog).toBeFocused();
  await expect(dialog).toHaveAttribute('aria-modal', 'true');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/integration/accounts');
});

test('our own close button leads to the accounts', async ({ page, newClient }) => {
  await arriveAtConnect(page, newClient());
  await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).press('Enter');
  await expect(page).toHaveURL('/integration/accounts');
});

for (const { outage, trouble } of [
  { outage: 'abort', trouble: [/request failed: https:\/\/connect\.pluggy\.ai\/.*ERR_BLOCKED_BY_CLIENT/] },
  { outage: 'http-500', trouble: [/status of 500 .*connect\.pluggy\.ai/] },
  { outage: 'silent', trouble: [] },
] as const) {
  test(`Connect that does not open (${outage}) gives a card, is logged, and can be tried again`, async ({
    page,
    newClient,
    standIn,
    troubles,
  }) => {
    troubles.expect(...trouble, /Failed to render <PluggyConnect \/>/);
    const client = newClient();
    standIn.outage = outage;
    await installClock(page);
    await arriveAtBankForm(page, client);
    await chooseBank(page, 'Bradesco');
    await fillAdministrator(page);
    await page.getByRole('button', { name: 'Avançar' }).click();
    await expect.poll(() => standIn.openings).toBe(1);
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await page.clock.fastForward(20_000);
    await expect(page.getByRole('alert')).toContainText('Não foi possível abrir a conexão com o banco');
    await expect.poll(() => widgetLog(client)).toEqual([
      { type: 'pluggy-widget-error', status: 'ERROR', data: { message: expect.any(String), item: null } },
    ]);
    standIn.outage = undefined;
    await page.getByRole('button', { name: 'Tentar de novo' }).click();
    const frame = await connectFrame(page);
    expect(client.of('connect-token')).toHaveLength(2);
    await frame.getByRole('button').click();
    await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  });
}

test('a log that fails changes nothing for the person @any-size', async ({ page, newClient }) => {
  const client = newClient().answer('log', 'drop');
  client.scenario = 'error-success';
  const frame = await arriveAtConnect(page, client);
  await frame.getByRole('button').click();
  await frame.getByRole('button').click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
});

test('a log that hangs delays nothing @any-size', async ({ page, newClient }) => {
  const client = newClient();
  const release = client.hold('log');
  const frame = await arriveAtConnect(page, client);
  await frame.getByRole('button').click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  release();
});
