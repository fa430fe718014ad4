/**
 * The program on its embedded sandbox: its links, and its own Connect page. The whole journey is in
 * `keyboard.spec.ts`.
 */
import { demoLink, expect, test } from '../fixtures.ts';
import { embeddedConnect } from '../journey-steps.ts';

test.use({ mode: 'sandbox' });

test('a link of the list renews its item', async ({ page }) => {
  await page.goto('/sandbox');
  const link = page.locator('a[href*="demo-atualizar"]').first();
  await page.goto((await link.getAttribute('href')) ?? '');
  await expect(page).toHaveURL('/integration/update');
  const connect = embeddedConnect(page);
  const press = (name: RegExp) => connect.getByRole('button', { name }).click();
  await press(/^Recusar/);
  await expect(connect.getByRole('status')).toHaveText('Credenciais inválidas');
  await press(/^Aguardar/);
  await page.getByRole('button', { name: 'Entendi' }).click();
  await press(/^Conectar/);
  await expect(page.getByRole('heading', { name: 'Integração concluída com sucesso!' })).toBeVisible();
});

test('the cancellation ends its three accounts', async ({ page }) => {
  await page.goto(demoLink('demo-cancelar'));
  await expect(page.locator('tbody').getByRole('row')).toHaveCount(3);
  await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
  await expect(page).toHaveURL('/cancel/success');
  await page.goto('/integration/accounts');
  await expect(page.getByText('Nenhuma conta autorizada.')).toBeVisible();
});

test('every link of the cast leads where its name says', async ({ request }) => {
  for (const { name, extra = '', status, body } of [
    { name: 'demo-novo', status: 200, body: { to: '/integration/widget?validado=1' } },
    { name: 'demo-pessoa', status: 200, body: { to: '/integration/widget?validado=1' } },
    { name: 'demo-alfanumerico', status: 200, body: { to: '/integration/widget?validado=1' } },
    { name: 'demo-outro-escritorio', status: 200, body: { to: '/integration/widget?validado=1' } },
    { name: 'demo-contas', status: 200, body: { to: '/integration/widget?validado=1' } },
    { name: 'demo-aguardando', status: 200, body: { to: '/integration/widget?validado=1' } },
    { name: 'demo-atualizar', status: 200, body: { to: '/integration/update?validado=1' } },
    { name: 'demo-cancelar', status: 200, body: { to: '/cancel/confirm?validado=1' } },
    { name: 'demo-erro-500', status: 200, body: { to: '/integration/widget?validado=1' } },
    { name: 'demo-retorno', extra: '&of-success=true', status: 200, body: { to: '/integration/success?validado=1' } },
    { name: 'demo-retorno', status: 502, body: { kind: 'navigate', to: '/error/token-expired' } },
    { name: 'demo-expirado', status: 502, body: { kind: 'navigate', to: '/error/token-expired' } },
    { name: 'demo-inexistente', status: 502, body: { kind: 'navigate', to: '/error/token-not-exists' } },
    { name: 'demo-invalido', status: 502, body: { kind: 'navigate', to: '/error/token-invalid' } },
    { name: 'demo-malformado', status: 502, body: { kind: 'navigate', to: '/error/token-invalid?falha=servico' } },
    { name: 'demo-sem-resposta', status: 504, body: { kind: 'no_reply' } },
  ]) {
    const query = demoLink(name, extra).slice(1);
    const headers = { 'sec-fetch-site': 'same-origin' };
    const response = await request.post('/api/validate_token', { headers, data: { input: { query } } });
    expect(response.status(), name).toBe(status);
    const { to, ...rest } = await response.json();
    expect({ ...rest, to: to?.replace(/[?&]codigo=[0-9a-f]{12}(&outro=1)?$/, '') }, name).toMatchObject(body);
  }
});
