/** `/integration/update`: an existing link is renewed. */
import { randomUUID } from 'node:crypto';
import { ITEM_ID } from '../connect-stand-in.ts';
import { failedInto } from '../error-screen.ts';
import { expect, test } from '../fixtures.ts';
import { arriveAtUpdate } from '../journey-steps.ts';
import { errorResponse } from '../upstream.ts';

const DONE = 'Integração concluída com sucesso!';
const LINK_ID = randomUUID();
const update = { widget_type: 'update', link_id: LINK_ID };

test('the widget opens for the item, and the link is updated before the success is logged', async ({
  page,
  newClient,
}) => {
  const client = newClient(update);
  const frame = await arriveAtUpdate(page, client);
  await expect(page).toHaveURL('/integration/update');
  await expect(frame.getByTestId('props')).toContainText(`"updateItem":"${LINK_ID}"`);
  const asks = `${client.data.customer_name} pediu para renovar a conexão com o seu banco.`;
  await expect(page.getByRole('heading', { name: asks, includeHidden: true })).toBeAttached();
  await frame.getByRole('button').click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  await expect(page).toHaveURL('/integration/success');
  await expect.poll(() => client.requestsOf('success')).toHaveLength(1);
  // Log calls run beside the actions, so their order is not fixed.
  expect(client.callSequence.filter((call) => call !== 'log')).toEqual([
    'validate-token',
    'connect-token',
    'update-link-account',
    'success',
  ]);
  expect(client.requestsOf('log')).toHaveLength(3);
  expect(client.requestsOf('connect-token')[0]?.body).toEqual({ link_id: LINK_ID, client_uuid: client.data.client_uuid });
  expect(client.requestsOf('update-link-account')[0]?.body).toEqual({ link: ITEM_ID });
  expect(client.log[2]).toMatchObject({ type: 'pluggy-widget-success', status: 'SUCCESS' });
  await expect(page.getByRole('link', { name: 'Integrar outra conta bancária' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Concluir integração' })).toHaveCount(0);
});

test('an update without a change leads to link-not-updated, and is no success', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(/status of 502 .*finish_connect/);
  const client = newClient(update).respond('update-link-account', errorResponse(409, 'Conflict'));
  await (await arriveAtUpdate(page, client)).getByRole('button').click();
  await expect(page).toHaveURL(failedInto('link-not-updated'));
  expect(client.log.map(({ type }) => type)).not.toContain('pluggy-widget-success');
  expect(client.requestsOf('success')).toEqual([]);
});

test('an update without an answer toasts, stays, and can be tried again without the bank', async ({
  page,
  newClient,
  browserErrors,
}) => {
  browserErrors.expect(/status of 504 .*finish_connect/);
  const client = newClient(update).respond('update-link-account', 'drop');
  await (await arriveAtUpdate(page, client)).getByRole('button').click();
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText('Houve falha na requisição.')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('não conseguimos confirmar');
  client.respond('update-link-account', undefined);
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  expect(client.requestsOf('connect-token')).toHaveLength(1);
});
