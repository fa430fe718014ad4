/** A new integration and the way to its cancellation by keyboard alone: position and visibility of the focus. */
import { Key } from 'selenium-webdriver';
import { ACCOUNTS, ADMIN, FIRM } from '../client.ts';
import { linkOf } from '../fixtures.ts';
import { whyUnseen } from '../focus-ring.ts';
import { CONSENT } from '../journey-steps.ts';
import { expect, test } from './fixtures.ts';
import { ADMIN_CPF, ADMIN_NAME, BANK } from './journey-steps.ts';
import type { Role, Tab } from './tab.ts';

/** Expects the focus on this element, and that it is visible. */
async function expectStop(tab: Tab, role: Role, name: string | RegExp): Promise<void> {
  await tab.hasFocus(role, name);
  await expect.poll(() => tab.ofFocus(whyUnseen), { message: `the focus is not seen on ${role} ${name}` }).toBe('');
}

test('the whole journey', async ({ tab, newClient }) => {
  const client = newClient();
  client.scenario = 'error-success';
  client.accounts = ACCOUNTS;
  await tab.open(linkOf(client));
  await tab.isAt('/integration/widget');
  await tab.waitForHydration();
  await tab.hasFocus('heading', new RegExp(FIRM));
  await tab.press(Key.TAB);
  await expectStop(tab, 'checkbox', new RegExp(FIRM));
  // Past "Não é você?".
  await tab.press(Key.SPACE, Key.TAB, Key.TAB);
  await expectStop(tab, 'button', CONSENT);
  await tab.pressBack();
  await tab.pressBack();
  await expectStop(tab, 'checkbox', new RegExp(FIRM));
  await tab.press(Key.TAB, Key.TAB, Key.ENTER);

  await tab.isAt('/integration/accounts');
  await tab.waitForHydration();
  await tab.hasFocus('heading', /./);
  // The link comes with the list.
  await tab.hasText('Integrar novo banco');
  await tab.press(Key.TAB);
  await expectStop(tab, 'link', 'Integrar novo banco');
  await tab.press(Key.ENTER);

  await tab.isAt('/integration/select-bank');
  await tab.waitForHydration();
  await tab.hasFocus('heading', /Insira os dados do administrador/);
  await tab.press(Key.TAB);
  await expectStop(tab, 'combobox', BANK);
  await expect.poll(() => tab.run('return document.activeElement.readOnly'), 'the list has arrived').toBe(false);
  await tab.press(...'banco', Key.ARROW_DOWN, Key.ARROW_DOWN, Key.ARROW_UP);
  const active = 'document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.innerText';
  await expect.poll(() => tab.run(`return ${active}`)).toContain('Bradesco');
  await tab.press(Key.ENTER);
  await expect.poll(() => tab.run('return document.activeElement.value')).toBe('Bradesco');
  // Past "Não é você?".
  await tab.press(Key.TAB, Key.TAB);
  await expectStop(tab, 'textbox', ADMIN_NAME);
  await tab.press(...ADMIN, Key.TAB);
  await expectStop(tab, 'textbox', ADMIN_CPF);
  await tab.press(...'52998224725', Key.TAB);
  await expectStop(tab, 'button', 'Avançar');
  await tab.press(Key.SPACE);

  await tab.isAt('/integration/widget');
  await tab.inConnect(() => tab.hasText('Banco de teste'));
  await tab.hasFocus('dialog', 'Conexão com o banco');
  await tabInto(tab);
  await tab.inConnect(() => tab.press(Key.ENTER));
  await expect.poll(() => client.log.map(({ type }) => type)).toContain('pluggy-widget-error');
  await tab.inConnect(() => tab.press(Key.ENTER));

  await tab.isAt('/integration/success');
  await tab.waitForHydration();
  await tab.hasFocus('heading', 'Integração concluída com sucesso!');
  await tab.press(Key.TAB);
  await expectStop(tab, 'button', 'Concluir integração');
  await tab.press(Key.TAB);
  await expectStop(tab, 'link', 'Integrar outra conta bancária');
  await tab.press(Key.ENTER);
  await tab.isAt('/integration/accounts');
  await tab.waitForHydration();
  await tab.hasText(ACCOUNTS[0].number);
  await tab.hasFocus('heading', /./);
  await tab.press(Key.TAB, Key.TAB);
  await expectStop(tab, 'link', 'clique aqui para cancelar todas as suas integrações');
  await tab.press(Key.ENTER);
  await tab.isAt('/cancel/confirm');
  await tab.waitForHydration();
  await tab.hasFocus('heading', /./);
  await tab.get('button', 'Cancelar todas integrações');
  await tab.press(Key.TAB);
  await expectStop(tab, 'button', 'Cancelar todas integrações');
  await tab.press(Key.TAB);
  await expectStop(tab, 'link', 'Voltar sem cancelar');
});

for (const where of ['beside the frame', 'inside the frame'] as const) {
  test(`Escape ${where} closes Connect, and the focus is on the heading of the accounts`, async ({ tab, newClient }) => {
    await tab.open(linkOf(newClient({ widget_type: 'update' })));
    await tab.inConnect(() => tab.hasText('Banco de teste'));
    await tab.hasFocus('dialog', 'Conexão com o banco');
    if (where === 'beside the frame') await tab.press(Key.ESCAPE);
    else await tabInto(tab).then(() => tab.inConnect(() => tab.press(Key.ESCAPE)));
    await tab.isAt('/integration/accounts');
    await tab.waitForHydration();
    await tab.hasFocus('heading', /./);
  });
}

/** Presses Tab until the button in Connect's frame has the focus, up to six times. */
async function tabInto(tab: Tab): Promise<void> {
  const inside = () =>
    tab.inConnect(() => tab.run('return document.hasFocus() && document.activeElement.localName === "button"'));
  for (let pressed = 0; pressed < 6 && !(await inside()); pressed += 1) await tab.press(Key.TAB);
  await expect.poll(inside, { message: 'the focus is in the frame' }).toBe(true);
}
