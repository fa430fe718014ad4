/** A CNPJ with letters, as issued since July 2026, is passed on to Connect. */
import { expect, test } from '../fixtures.ts';
import { arriveAtConnect } from '../journey-steps.ts';

test('12.ABC.345/01DE-35 links a new account', async ({ page, newClient }) => {
  const client = newClient({ client_cpfcnpj: '12.ABC.345/01DE-35' });
  const frame = await arriveAtConnect(page, client);
  const props: unknown = JSON.parse(await frame.getByTestId('props').innerText());
  expect(props).toMatchObject({ openFinanceParameters: { cpf: '52998224725', cnpj: '12ABC34501DE35' } });
  await frame.getByRole('button').click();
  await expect(page.getByRole('heading', { name: 'Integração concluída com sucesso!' })).toBeVisible();
});
