/** What the person does on the way, for tests that begin further on. The steps' own tests do it by hand. */
import { type FrameLocator, type Page, expect } from '@playwright/test';
import { ADMIN, CPF, type Client } from './client.ts';
import { linkOf } from './fixtures.ts';

export const CONSENT = 'Autorizar integrações bancárias';

/** Opens the link and gives the consent; ends on the accounts screen. */
export async function arriveAtAccounts(page: Page, client: Client): Promise<void> {
  await page.goto(linkOf(client));
  await giveConsent(page);
}

export async function giveConsent(page: Page): Promise<void> {
  await comesAlive(page);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page).toHaveURL('/integration/accounts');
}

/** Ends on the bank form, with the list of banks there. */
export async function arriveAtBankForm(page: Page, client: Client): Promise<void> {
  await arriveAtAccounts(page, client);
  await page.getByRole('link', { name: 'Integrar novo banco' }).click();
  await expect(page).toHaveURL('/integration/select-bank');
  await expect(page.getByRole('combobox')).toBeEditable();
}

export async function chooseBank(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox').fill(name);
  await page.getByRole('option', { name }).click();
}

export async function fillAdministrator(page: Page, name = ADMIN, cpf = CPF): Promise<void> {
  await page.getByLabel('Nome completo do administrador').fill(name);
  await page.getByLabel('CPF do administrador').fill(cpf);
}

/** Ends in Connect's frame, open. */
export async function arriveAtConnect(page: Page, client: Client): Promise<FrameLocator> {
  await arriveAtBankForm(page, client);
  await chooseBank(page, 'Itaú');
  await fillAdministrator(page);
  await page.getByRole('button', { name: 'Avançar' }).click();
  return connectFrame(page);
}

export function embeddedConnect(page: Page): FrameLocator {
  return page.frameLocator('iframe[title="Pluggy"][name^="__zoid__pluggy_connect_widget__"]');
}

/** Connect's frame, once it can be used. */
export async function connectFrame(page: Page): Promise<FrameLocator> {
  const frame = embeddedConnect(page);
  await expect(frame.getByRole('button', { name: 'Continuar' })).toBeVisible();
  return frame;
}

/** Waits until the buttons that the server has drawn do something; the entry is only on the way there. */
export async function comesAlive(page: Page): Promise<void> {
  await expect(page.locator('body:not([data-page="entry"])')).toHaveAttribute('data-islands', 'alive');
}
