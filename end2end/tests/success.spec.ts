/** `/integration/success`. What is reported and when: `src/tests/success.rs`. */
import { expect, linkOf, test } from '../support/fixtures.ts';

test('"Concluir integração", pressed before its island works, does its work then, and that is announced', async ({ page, newClient }) => {
  let load = (): void => {};
  const loads = new Promise<void>((done) => {
    load = done;
  });
  await page.route('**/pkg/*.wasm', async (route) => {
    await loads;
    await route.continue();
  });
  await page.goto(linkOf(newClient(), '&of-success'));
  const [button, another] = [
    page.getByRole('button', { name: 'Concluir integração' }),
    page.getByRole('link', { name: 'Integrar outra conta bancária' }),
  ];
  await expect(another).toBeVisible();
  const announced = page.getByRole('status').first();
  await expect(announced).toBeEmpty();
  await button.click();
  load();
  for (const gone of [button, another]) await expect(gone).toBeHidden();
  await expect(announced).toHaveText('Tudo certo. Você já pode fechar esta página.');
  await expect(page.getByText('Tudo certo. Você já pode fechar esta página.')).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Integração concluída com sucesso!' })).toBeVisible();
});
