/** Steps of the journey, as in ../journey-steps.ts. */
import { ADMIN, CPF } from '../client.ts';
import { CONSENT } from '../journey-steps.ts';
import type { Tab } from './tab.ts';

export const ADMIN_NAME = /Nome completo do administrador/;
export const ADMIN_CPF = /CPF do administrador/;
export const BANK = /Banco/;

/** From the consent to the accounts. */
export async function giveConsent(tab: Tab): Promise<void> {
  await tab.waitForHydration();
  await tab.click('checkbox', /./);
  await tab.click('button', CONSENT);
  await tab.isAt('/integration/accounts');
}

/** From the accounts to the bank form. */
export async function arriveAtBankForm(tab: Tab): Promise<void> {
  await tab.click('link', 'Integrar novo banco');
  await tab.isAt('/integration/select-bank');
  await tab.waitForHydration();
}

export async function chooseBank(tab: Tab, name: string): Promise<void> {
  await tab.write('combobox', BANK, name);
  await tab.click('option', new RegExp(name));
}

export async function fillAdministrator(tab: Tab): Promise<void> {
  await tab.write('textbox', ADMIN_NAME, ADMIN);
  await tab.write('textbox', ADMIN_CPF, CPF);
}
