/** What the person does on the way, and where tests begin that are about what comes after it. */
import { type FrameLocator, type Page, expect } from '@playwright/test';
import { ADMIN, CPF, type Client } from './client.ts';
import { ConnectStandIn } from './connect-stand-in.ts';
import { linkOf } from './fixtures.ts';
import { begin } from './session.ts';

export const CONSENT = 'Autorizar integrações bancárias';

/** The accounts screen, without the way there. */
export async function arriveAtAccounts(page: Page, client: Client): Promise<void> {
  await begin(page, client, 'consented');
  await page.goto('/integration/accounts');
}

/** On the consent, as somebody who has read it. */
export async function giveConsent(page: Page): Promise<void> {
  await comesAlive(page);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page).toHaveURL('/integration/accounts');
}

/** The bank form with the list of banks there, without the way there. */
export async function arriveAtBankForm(page: Page, client: Client): Promise<void> {
  await begin(page, client, 'consented');
  await page.goto('/integration/select-bank');
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

/** Connect's page after the form, whether Connect opens or does not. */
export async function arriveBeforeConnect(page: Page, client: Client): Promise<void> {
  await ConnectStandIn.at(page.context());
  await begin(page, client, 'bank chosen');
  await page.goto('/integration/widget');
}

/** Connect's frame, open, without the way there. */
export async function arriveAtConnect(page: Page, client: Client): Promise<FrameLocator> {
  await arriveBeforeConnect(page, client);
  return connectFrame(page);
}

/** The whole way by hand: each page of it is asked for, and is in the history or replaced there. */
export async function goToConnect(page: Page, client: Client): Promise<FrameLocator> {
  await ConnectStandIn.at(page.context());
  await page.goto(linkOf(client));
  await giveConsent(page);
  await page.getByRole('link', { name: 'Integrar novo banco' }).click();
  await chooseBank(page, 'Itaú');
  await fillAdministrator(page);
  await page.getByRole('button', { name: 'Avançar' }).click();
  return connectFrame(page);
}

/** Connect's frame of a link for an update, open. */
export async function arriveAtUpdate(page: Page, client: Client): Promise<FrameLocator> {
  await ConnectStandIn.at(page.context());
  await page.goto(linkOf(client));
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
