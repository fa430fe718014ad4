/** `/integration/update`: an existing link is renewed (spec §2, §4, §7). */
import { randomUUID } from 'node:crypto';
import { ITEM_ID } from '../connect-stand-in.ts';
import { expect, linkOf, test } from '../fixtures.ts';
import { arriveAtConnect, connectFrame } from '../person.ts';
import { refusal } from '../upstream.ts';

const DONE = 'Integração concluída com sucesso!';
const LINK_ID = randomUUID();
const update = { widget_type: 'update', link_id: LINK_ID };

test('the widget opens for the item, and the link is updated before the success is logged', async ({
  page,
  newClient,
}) => {
  const client = newClient(update);
  await page.goto(linkOf(client));
  await expect(page).toHaveURL('/integration/update');
  const frame = await connectFrame(page);
  await expect(frame.getByTestId('props')).toContainText(`"updateItem":"${LINK_ID}"`);
  await frame.getByRole('button').click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  await expect(page).toHaveURL('/integration/success');
  await expect.poll(() => client.of('success')).toHaveLength(1);
  expect(client.story).toEqual([
    'validate-token',
    'log',
    'connect-token',
    'log',
    'update-link-account',
    'log',
    'success',
  ]);
  expect(client.of('connect-token')[0]?.body).toEqual({ link_id: LINK_ID, client_uuid: client.data.client_uuid });
  expect(client.of('update-link-account')[0]?.body).toEqual({ link: ITEM_ID });
  expect(client.log[2]).toMatchObject({ type: 'pluggy-widget-success', status: 'SUCCESS' });
  await expect(page.getByRole('link', { name: 'Integrar outra conta bancária' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Concluir integração' })).toHaveCount(0);
});

test('without a link_id no link is updated', async ({ page, newClient }) => {
  const client = newClient({ widget_type: 'update' });
  await page.goto(linkOf(client));
  const frame = await connectFrame(page);
  await expect(frame.getByTestId('props')).not.toContainText('updateItem');
  await frame.getByRole('button').click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  expect(client.of('update-link-account')).toEqual([]);
  await expect.poll(() => client.log.map(({ type }) => type)).toContain('pluggy-widget-success');
});

test('a new integration with a link_id updates the link, too @any-size', async ({ page, newClient }) => {
  const client = newClient({ link_id: LINK_ID });
  const frame = await arriveAtConnect(page, client);
  await expect(frame.getByTestId('props')).toContainText(`"updateItem":"${LINK_ID}"`);
  await frame.getByRole('button').click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  expect(client.of('update-link-account').map(({ body }) => body)).toEqual([{ link: ITEM_ID }]);
});

test('closing the widget leads to the accounts', async ({ page, newClient }) => {
  const client = newClient(update);
  client.scenario = 'close';
  await page.goto(linkOf(client));
  await (await connectFrame(page)).getByRole('button').click();
  await expect(page).toHaveURL('/integration/accounts');
  expect(client.of('update-link-account')).toEqual([]);
});

for (const { status, message, to } of [
  { status: 409, message: 'Conflict', to: 'link-not-updated' },
  { status: 422, message: 'Nenhuma alteração nas credenciais', to: 'link-not-updated' },
  { status: 404, message: 'item not found', to: 'link-not-exists' },
  { status: 404, message: 'Token not found', to: 'token-not-exists' },
  { status: 401, message: 'Expired token', to: 'token-expired' },
  { status: 500, message: 'Oops', to: 'token-invalid' },
]) {
  test(`an update answered ${status} "${message}" leads to ${to} @any-size`, async ({ page, newClient, troubles }) => {
    troubles.expect(/status of 502 .*finish_connect/);
    const client = newClient(update).answer('update-link-account', refusal(status, message));
    await page.goto(linkOf(client));
    await (await connectFrame(page)).getByRole('button').click();
    await expect(page).toHaveURL(`/error/${to}`);
    expect(client.log.map(({ type }) => type)).not.toContain('pluggy-widget-success');
    expect(client.of('success')).toEqual([]);
  });
}

test('an update without an answer toasts, stays, and can be tried again without the bank', async ({
  page,
  newClient,
  troubles,
}) => {
  troubles.expect(/status of 504 .*finish_connect/);
  const client = newClient(update).answer('update-link-account', 'drop');
  await page.goto(linkOf(client));
  await (await connectFrame(page)).getByRole('button').click();
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText('Houve falha na requisição.')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('não conseguimos confirmar');
  client.answer('update-link-account', undefined);
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  expect(client.of('connect-token')).toHaveLength(1);
});
