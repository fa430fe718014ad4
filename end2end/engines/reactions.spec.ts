/** Each kind of reaction to a failure: a toast, an error screen, the notice of another tab, field errors. */
import { failedInto } from '../error-screen.ts';
import { linkOf } from '../fixtures.ts';
import { CONSENT } from '../journey-steps.ts';
import { errorResponse } from '../upstream.ts';
import { expect, test } from './fixtures.ts';
import { ADMIN_CPF, ADMIN_NAME, arriveAtBankForm, BANK, giveConsent } from './journey-steps.ts';

const update = { widget_type: 'update', link_id: 'link-1' };

test('no reply toasts and stays, and the same button works again', async ({ tab, newClient, browserErrors }) => {
  browserErrors.expect(/status of 504: POST \/api\/accept_consent/);
  const client = newClient().respond('authorize-customer', 'drop', undefined);
  await tab.open(linkOf(client));
  await tab.waitForHydration();
  await tab.click('checkbox', /./);
  await tab.click('button', CONSENT);
  await tab.hasText('Houve falha na requisição.');
  await tab.isAt('/integration/widget');
  await tab.isAccessible();
  await tab.click('button', CONSENT);
  await tab.isAt('/integration/accounts');
});

for (const { to, response, text } of [
  { to: 'token-not-exists', response: errorResponse(404, 'Not found'), text: 'Este link não vale mais' },
  { to: 'token-expired', response: errorResponse(401, 'Expired token'), text: 'O prazo deste link acabou' },
  { to: 'token-invalid', response: errorResponse(422, 'Blocked'), text: 'Houve um problema com o seu acesso por este link.' },
]) {
  test(`a rejected link leads to ${to}`, async ({ tab, newClient, browserErrors }) => {
    browserErrors.expect(/status of 502: POST \/api\/validate_token/);
    await tab.open(linkOf(newClient().respond('validate-token', response)));
    await tab.isAt(failedInto(to));
    await tab.hasText(text);
    await tab.isAccessible();
  });
}

test('a link without a token leads to token-not-found', async ({ tab }) => {
  await tab.open('/');
  await tab.isAt('/error/token-not-found');
  await tab.hasText('Confira o endereço e tente de novo');
});

test('an item that the provider does not know leads to link-not-exists', async ({ tab, newClient, browserErrors }) => {
  browserErrors.expect(/status of 502: POST \/api\/open_connect/);
  await tab.open(linkOf(newClient(update).respond('connect-token', errorResponse(404, 'Item not found'))));
  await tab.isAt(failedInto('link-not-exists'));
  await tab.hasText('Não encontramos no Open Finance o acesso ao banco');
});

test('an item without changes leads to link-not-updated', async ({ tab, newClient, browserErrors }) => {
  browserErrors.expect(/status of 502: POST \/api\/finish_connect/);
  await tab.open(linkOf(newClient(update).respond('update-link-account', errorResponse(409, 'Conflict'))));
  await tab.inConnect(() => tab.click('button', 'Continuar'));
  await tab.isAt(failedInto('link-not-updated'));
  await tab.hasText('O seu acesso ao banco pelo Open Finance não teve alterações.');
});

test('a tab whose session another link has replaced acts no more', async ({ tab, newClient, browserErrors }) => {
  browserErrors.expect(/status of 409: POST \/api\/check_session/);
  const [first, second] = [newClient(), newClient()];
  await tab.open(linkOf(first));
  await tab.waitForHydration();
  await tab.click('checkbox', /./);
  await tab.inSecondTab(async () => {
    await tab.open(linkOf(second));
    await tab.isAt('/integration/widget');
  });
  await tab.get('alertdialog', 'Você abriu outro link');
  await tab.hasFocus('link', 'Continuar com o link mais recente');
  await tab.isAccessible();
  await tab.click('link', 'Continuar com o link mais recente');
  await tab.isAt('/integration/widget');
  for (const client of [first, second]) expect(client.requestsOf('authorize-customer')).toEqual([]);
});

test('fields to correct are named under them, and again with every change', async ({ tab, newClient }) => {
  await tab.open(linkOf(newClient()));
  await giveConsent(tab);
  await arriveAtBankForm(tab);
  await tab.waitForHydration();
  const readOnly = 'return document.querySelector("[role=combobox]").readOnly';
  await expect.poll(() => tab.run(readOnly), 'the list has arrived').toBe(false);
  await tab.click('button', 'Avançar');
  await tab.hasText('Obrigatório selecionar o banco!');
  await tab.hasText('Obrigatório preencher o nome completo do administrador da conta bancária!');
  await tab.hasText('Obrigatório preencher o CPF do administrador da conta bancária!');
  await tab.hasFocus('combobox', BANK);
  await tab.isAccessible();
  await tab.write('textbox', ADMIN_CPF, '529982247');
  await tab.hasText('CPF inválido!');
  await tab.write('textbox', ADMIN_CPF, '25');
  await tab.hasNoText('CPF inválido!');
  await expect.poll(async () => (await tab.get('textbox', ADMIN_CPF)).getAttribute('value')).toBe('529.982.247-25');
  await tab.write('textbox', ADMIN_NAME, 'Ana');
  await tab.hasNoText('Obrigatório preencher o nome');
  await tab.isAt('/integration/select-bank');
});
