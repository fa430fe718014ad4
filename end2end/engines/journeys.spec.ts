/** Whole journeys, from the firm's link to the end, with axe on every screen. */
import { randomUUID } from 'node:crypto';
import { ACCOUNTS, ADMIN, CPF, FIRM } from '../client.ts';
import { ITEM_ID } from '../connect-stand-in.ts';
import { demoLink, linkOf } from '../fixtures.ts';
import { CONSENT } from '../journey-steps.ts';
import { expect, test } from './fixtures.ts';
import { ADMIN_CPF, ADMIN_NAME, arriveAtBankForm, chooseBank, fillAdministrator, giveConsent } from './journey-steps.ts';

const DONE = 'Integração concluída com sucesso!';

test('a new integration', async ({ tab, newClient }) => {
  const client = newClient();
  const release = client.hold('validate-token');
  await tab.open(linkOf(client));
  await tab.hasText('Abrindo o seu link…');
  await tab.isAccessible();
  release();

  await tab.isAt('/integration/widget');
  await tab.get('heading', new RegExp(FIRM));
  await tab.waitForHydration();
  await tab.isAccessible();
  await tab.click('checkbox', new RegExp(FIRM));
  await tab.click('button', CONSENT);

  await tab.isAt('/integration/accounts');
  await tab.hasText('Nenhuma conta autorizada.');
  await tab.waitForHydration();
  await tab.isAccessible();
  await tab.click('link', 'Integrar novo banco');

  await tab.isAt('/integration/select-bank');
  await tab.waitForHydration();
  await tab.isAccessible();
  await chooseBank(tab, 'Itaú');
  await fillAdministrator(tab);
  await tab.click('button', 'Avançar');

  await tab.isAt('/integration/widget');
  await tab.inConnect(async () => {
    await tab.hasText('"openFinanceParameters":{"cpf":"52998224725","cnpj":"40817256000100"}');
  });
  await tab.isAccessible();
  await tab.inConnect(() => tab.click('button', 'Continuar'));

  await tab.isAt('/integration/success');
  await tab.get('heading', DONE);
  await tab.waitForHydration();
  await tab.isAccessible();
  await expect.poll(() => client.requestsOf('success')).toHaveLength(1);
  client.accounts = ACCOUNTS;
  // The accounts page may come back from the back/forward cache; it continues to poll.
  await tab.back();
  await tab.isAt('/integration/accounts');
  await tab.hasText(ACCOUNTS[1].number);
  await tab.get('link', /^clique aqui/);
  await tab.isAccessible();
  // Log calls run beside the actions, so their order is not fixed.
  expect(client.callSequence.filter((call) => call !== 'log')).toEqual([
    'validate-token',
    'authorize-customer',
    'list-banks',
    'connect-token',
    'success',
  ]);
  expect(client.requestsOf('log')).toHaveLength(3);
});

test('an update', async ({ tab, newClient }) => {
  const link = randomUUID();
  const client = newClient({ widget_type: 'update', link_id: link });
  await tab.open(linkOf(client));
  await tab.isAt('/integration/update');
  await tab.inConnect(() => tab.hasText(`"updateItem":"${link}"`));
  await tab.isAccessible();
  await tab.inConnect(() => tab.click('button', 'Continuar'));
  await tab.isAt('/integration/success');
  await tab.get('heading', DONE);
  await expect.poll(() => client.requestsOf('success')).toHaveLength(1);
  expect(client.requestsOf('update-link-account').map(({ body }) => body)).toEqual([{ link: ITEM_ID }]);
});

test('a cancellation', async ({ tab, newClient }) => {
  const client = Object.assign(newClient({ widget_type: 'cancel' }), { accounts: ACCOUNTS });
  const release = client.hold('cancel-integrations');
  await tab.open(linkOf(client));
  await tab.isAt('/cancel/confirm');
  await tab.hasText(ACCOUNTS[0].number);
  await tab.waitForHydration();
  await tab.isAccessible();
  const button = await tab.get('button', 'Cancelar todas integrações');
  await button.click();
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('true');
  release();
  await tab.isAt('/cancel/success');
  await tab.get('heading', 'Integrações canceladas com sucesso!');
  await tab.isAccessible();
  expect(client.requestsOf('cancel-integrations').map(({ body }) => body)).toEqual([{ cpfcnpj: client.data.client_cpfcnpj }]);
});

test('a return from the bank, whose page has taken the whole tab', async ({ tab, newClient }) => {
  const client = newClient();
  await tab.open(linkOf(client));
  await giveConsent(tab);
  await tab.open('/?of-success=true&itemId=1');
  await tab.isAt('/integration/success');
  await tab.waitForHydration();
  await tab.click('button', 'Concluir integração');
  await tab.hasText('Tudo certo. Você já pode fechar esta página.');
  await expect.poll(() => client.requestsOf('success')).toHaveLength(1);
});

test.describe('on the sandbox, over plain HTTP', () => {
  test.use({ mode: 'sandbox' });

  test('a new integration', async ({ tab }) => {
    await tab.open(demoLink('demo-novo'));
    await tab.isAt('/integration/widget');
    await giveConsent(tab);
    await arriveAtBankForm(tab);
    await chooseBank(tab, 'Itaú');
    await tab.write('textbox', ADMIN_NAME, ADMIN);
    await tab.write('textbox', ADMIN_CPF, CPF);
    await tab.click('button', 'Avançar');
    await tab.inConnect(async () => {
      await tab.hasText('***.982.247-**');
      await tab.click('button', 'Conectar com sucesso');
    });
    await tab.isAt('/integration/success');
    await tab.click('link', 'Integrar outra conta bancária');
    await tab.hasText('Padaria Aurora Ltda');
  });
});
