/** A CNPJ with letters, as given out since July 2026, passes everywhere unharmed (design D15). */
import type { FrameLocator } from '@playwright/test';
import { expect, linkOf, test } from '../fixtures.ts';
import { arriveAtConnect, comesAlive, connectFrame } from '../person.ts';

const DONE = 'Integração concluída com sucesso!';

const documentsOf = async (frame: FrameLocator): Promise<unknown> => {
  const props: unknown = JSON.parse(await frame.getByTestId('props').innerText());
  return typeof props === 'object' && props !== null && 'openFinanceParameters' in props
    ? props.openFinanceParameters
    : undefined;
};

for (const client_cpfcnpj of ['12ABC34501DE35', '12.ABC.345/01DE-35']) {
  test(`${client_cpfcnpj} links a new account @any-size`, async ({ page, newClient }) => {
    const client = newClient({ client_cpfcnpj });
    const frame = await arriveAtConnect(page, client);
    expect(await documentsOf(frame)).toEqual({ cpf: '52998224725', cnpj: '12ABC34501DE35' });
    await frame.getByRole('button').click();
    await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
  });

  test(`${client_cpfcnpj} renews its link @any-size`, async ({ page, newClient }) => {
    const client = newClient({ client_cpfcnpj, widget_type: 'update', link_id: 'link-1' });
    await page.goto(linkOf(client));
    const frame = await connectFrame(page);
    expect(await documentsOf(frame)).toEqual({ cnpj: '12ABC34501DE35' });
    await frame.getByRole('button').click();
    await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
    expect(client.of('update-link-account')).toHaveLength(1);
  });

  test(`${client_cpfcnpj} is cancelled exactly as it was given @any-size`, async ({ page, newClient }) => {
    const client = newClient({ client_cpfcnpj, widget_type: 'cancel' });
    await page.goto(linkOf(client));
    await comesAlive(page);
    await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
    await expect(page).toHaveURL('/cancel/success');
    expect(client.of('cancel-integrations').map(({ body }) => body)).toEqual([{ cpfcnpj: client_cpfcnpj }]);
  });
}
