/** Connect on `/integration/widget`: all its outcomes. */
import type { Page } from '@playwright/test';
import { findings } from '../axe.ts';
import { CPF, type Client } from '../client.ts';
import { installClock } from '../clock.ts';
import { ITEM_ID, PENDING, zoidVersions } from '../connect-stand-in.ts';
import { expect, test } from '../fixtures.ts';
import { arriveAtConnect, arriveBeforeConnect, connectFrame } from '../journey-steps.ts';

const DONE = 'Integração concluída com sucesso!';
const frames = (page: Page) => page.locator('iframe[title="Pluggy"]');

/** The log calls about the widget itself. */
const widgetLog = (client: Client) => client.log.filter(({ type }) => String(type).startsWith('pluggy-widget'));

test('the stand-in has the version of zoid that the SDK bundles', () => {
  expect(zoidVersions()).toEqual({ sdk: '9.0.63', standIn: '9.0.63' });
});

test('a spinner shows until the connect token arrives, with the focus on the heading, then the widget', async ({
  page,
  newClient,
}) => {
  const client = newClient();
  const release = client.hold('connect-token');
  await arriveBeforeConnect(page, client);
  await expect(page.getByText(/^Abrindo .+…$/)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect.poll(() => client.requestsOf('connect-token')).toHaveLength(1);
  await expect(frames(page)).toHaveCount(0);
  release();
  await connectFrame(page);
});

test('no connect token: a toast, and another try', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(/status of 504 .*open_connect/);
  const client = newClient().respond('connect-token', 'drop', undefined);
  await arriveBeforeConnect(page, client);
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText('Houve falha na requisição.')).toBeVisible();
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
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
    theme: 'light',
    openFinanceParameters: { cpf: '52998224725', cnpj: '40817256000100' },
  });
});

test.describe('at night', () => {
  test.use({ colorScheme: 'dark' });

  test('the widget is dark, and screen readers list one frame of it', async ({ page, newClient }) => {
    const frame = await arriveAtConnect(page, newClient());
    await expect(frame.getByTestId('props')).toContainText('"theme":"dark"');
    await expect(page.locator('iframe[title="Pluggy"]:not([aria-hidden])')).toHaveCount(1);
  });
});

test('a success that is reported twice, and then closed, counts as one and leads to the success screen', async ({
  page,
  newClient,
}) => {
  const client = newClient();
  client.scenario = 'success+success+close';
  const frame = await arriveAtConnect(page, client);
  await frame.getByRole('button').click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  await expect(page).toHaveURL('/integration/success');
  await expect.poll(() => client.requestsOf('success')).toHaveLength(1);
  expect(widgetLog(client)).toEqual([
    { type: 'pluggy-widget-success', status: 'SUCCESS', data: { item: { id: ITEM_ID } } },
  ]);
});

test('errors are logged without documents and tokens, and nothing else; a success may follow', async ({
  page,
  newClient,
}) => {
  const client = newClient();
  client.scenario = 'error-secret-success';
  const frame = await arriveAtConnect(page, client);
  const error = (message: unknown, item: unknown) => ({
    type: 'pluggy-widget-error',
    status: 'ERROR',
    data: { message, item },
  });
  const logged = [error('INVALID_CREDENTIALS', { id: ITEM_ID }), error(expect.stringContaining('login of'), null)];
  for (const count of [1, 2]) {
    await frame.getByRole('button').click();
    await expect.poll(() => widgetLog(client)).toEqual(logged.slice(0, count));
    await expect(frame.getByRole('heading', { name: 'Banco de teste' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
  const text = JSON.stringify(widgetLog(client));
  for (const secret of [CPF, '52998224725', client.connectToken, client.token]) expect(text).not.toContain(secret);
  await frame.getByRole('button').click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  await expect.poll(() => widgetLog(client)).toHaveLength(3);
});

test('the steps inside the widget are reported one by one, with the bank, and leave the session as it is', async ({
  page,
  newClient,
}) => {
  const client = newClient();
  client.scenario = 'consent+institution+login+other-login+accepted+mfa+confirmed-success';
  const frame = await arriveAtConnect(page, client);
  const reports: unknown[] = [];
  page.on('response', async (response) => {
    if (!response.url().endsWith('/api/report_connect_step')) return;
    const { input } = response.request().postDataJSON();
    const cookie = (await response.allHeaders())['set-cookie'];
    reports.push([response.status(), cookie, input.step, input.connector]);
  });
  const told = (step: string, connector: number | null = 612) => [200, undefined, step, connector];
  await frame.getByRole('button').click();
  await expect.poll(() => reports).toHaveLength(3);
  await frame.getByRole('button').click();
  await expect.poll(() => reports).toHaveLength(7);
  expect(reports).toEqual(
    expect.arrayContaining([
      told('consent', null),
      told('institution'),
      told('login'),
      told('login_accepted'),
      told('mfa'),
      told('mfa_accepted'),
    ]),
  );
  expect(widgetLog(client)).toEqual([]);
  await frame.getByRole('button').click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
});

test('a pending approval is shown calmly, and the way on is open', async ({ page, newClient }) => {
  const client = newClient();
  client.scenario = 'pending-close';
  const frame = await arriveAtConnect(page, client);
  await frame.getByRole('button').click();
  await expect(page.getByRole('status').getByText('Aguardando a aprovação de outro responsável')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await findings(page)).toEqual([]);
  // At 400 % zoom: all of it is on the screen or can be scrolled to.
  await page.setViewportSize({ width: 320, height: 256 });
  const title = page.getByText('Aguardando a aprovação de outro responsável');
  await expect(title).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Entendi' }).click();
  await expect(title).toBeHidden();
  await expect.poll(() => widgetLog(client)).toEqual([
    { type: 'pluggy-widget-error', status: 'ERROR', data: { message: PENDING, item: { id: ITEM_ID } } },
  ]);
  await frame.getByRole('button').click();
  await expect(page).toHaveURL('/integration/accounts');
  await expect(page.getByRole('row').filter({ hasText: 'Aguardando o outro responsável' })).toBeVisible();
});

test('closing after an error leads to the accounts, and the next bank starts at the form', async ({ page, newClient }) => {
  const client = newClient();
  client.scenario = 'error+close';
  const frame = await arriveAtConnect(page, client);
  await frame.getByRole('button').click();
  await expect(page).toHaveURL('/integration/accounts');
  await page.getByRole('link', { name: 'Integrar novo banco' }).click();
  await expect(page).toHaveURL('/integration/select-bank');
  await expect(page.getByRole('combobox')).toHaveValue('');
  await expect(page.getByLabel('CPF do administrador')).toHaveValue(CPF);
  expect(client.requestsOf('success')).toEqual([]);
});

test('Escape inside the frame closes it @desktop', async ({ page, newClient }) => {
  const frame = await arriveAtConnect(page, newClient());
  await frame.getByRole('button').focus();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/integration/accounts');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('the dialog has a name and the focus; Escape on it closes it @desktop', async ({ page, newClient }) => {
  await arriveAtConnect(page, newClient());
  const dialog = page.getByRole('dialog', { name: 'Conexão com o banco' });
  await expect(dialog).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/integration/accounts');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('our own close button leads to the heading of the accounts @desktop', async ({ page, newClient }) => {
  await arriveAtConnect(page, newClient());
  await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).press('Enter');
  await expect(page).toHaveURL('/integration/accounts');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('on a phone our own close button is there until the bank’s window is, and then for nobody', async ({
  page,
  newClient,
  standIn,
  browserErrors,
}) => {
  browserErrors.expect(/Failed to render <PluggyConnect \/>/);
  const close = page.getByRole('dialog').getByRole('button', { name: 'Fechar', includeHidden: true });
  await arriveAtConnect(page, newClient());
  await expect(close).toBeHidden();
  standIn.outage = 'silent';
  await arriveBeforeConnect(page, newClient());
  await expect(page.getByRole('dialog')).toBeVisible();
  await close.click();
  await expect(page).toHaveURL('/integration/accounts');
});

test('a toast over the open bank’s window can be closed', async ({ page, newClient }) => {
  await arriveAtConnect(page, newClient());
  await page.evaluate(() => {
    const { vincula } = window as unknown as { vincula: { toast: (kind: string, text: string) => void } };
    vincula.toast('info', 'Um aviso');
  });
  const notices = page.getByRole('region', { name: 'Avisos' });
  await expect(notices).toContainText('Um aviso');
  await notices.getByRole('button', { name: 'Fechar' }).click();
  await expect(notices).toBeEmpty();
});

for (const { outage, trouble } of [
  { outage: 'abort', trouble: [/request failed: https:\/\/connect\.pluggy\.ai\/.*ERR_BLOCKED_BY_CLIENT/] },
  // The page of a proxy that blocks.
  { outage: 'silent', trouble: [] },
] as const) {
  test(`Connect that does not open (${outage}) gives a card, is logged, and can be tried again`, async ({
    page,
    newClient,
    standIn,
    browserErrors,
  }) => {
    browserErrors.expect(...trouble, /Failed to render <PluggyConnect \/>/);
    const client = newClient();
    standIn.outage = outage;
    await installClock(page);
    await arriveBeforeConnect(page, client);
    await expect.poll(() => standIn.openings).toBe(1);
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await page.clock.fastForward(20_000);
    await expect(page.getByRole('alert')).toContainText('Não foi possível abrir a conexão com o banco');
    await expect(page.getByRole('link', { name: /contas/i })).toBeVisible();
    await expect.poll(() => widgetLog(client)).toEqual([
      { type: 'pluggy-widget-error', status: 'ERROR', data: { message: expect.any(String), item: null } },
    ]);
    expect(await findings(page)).toEqual([]);
    standIn.outage = undefined;
    await page.getByRole('button', { name: 'Tentar de novo' }).click();
    const frame = await connectFrame(page);
    expect(client.requestsOf('connect-token')).toHaveLength(2);
    await frame.getByRole('button').click();
    await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  });
}
