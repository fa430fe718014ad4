/** Steps of the journey, and entry points for tests that start at a later one. */
import { type FrameLocator, type Page, expect } from '@playwright/test';
import { ADMIN, CPF, type Client } from './client.ts';
import { ConnectStandIn } from './connect-stand-in.ts';
import { linkOf } from './fixtures.ts';
import { startSession } from './session.ts';

export const CONSENT = 'Autorizar integrações bancárias';

/** Opens the accounts screen with a prepared session. */
export async function arriveAtAccounts(page: Page, client: Client): Promise<void> {
  await startSession(page, client, 'consented');
  await page.goto('/integration/accounts');
}

/** Gives the consent on its screen. */
export async function giveConsent(page: Page): Promise<void> {
  await waitForHydration(page);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page).toHaveURL('/integration/accounts');
}

/** Opens the bank form with a prepared session, and waits for the list of banks. */
export async function arriveAtBankForm(page: Page, client: Client): Promise<void> {
  await startSession(page, client, 'consented');
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

/** Opens Connect's page with a prepared session, whether or not Connect works. */
export async function arriveBeforeConnect(page: Page, client: Client): Promise<void> {
  await ConnectStandIn.at(page.context());
  await startSession(page, client, 'bank chosen');
  await page.goto('/integration/widget');
}

/** Opens Connect with a prepared session, and waits for its frame. */
export async function arriveAtConnect(page: Page, client: Client): Promise<FrameLocator> {
  await arriveBeforeConnect(page, client);
  return connectFrame(page);
}

/** Goes to Connect from the link through every page, which leaves the real history entries. */
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

/** Opens Connect by a link for an update, and waits for its frame. */
export async function arriveAtUpdate(page: Page, client: Client): Promise<FrameLocator> {
  await ConnectStandIn.at(page.context());
  await page.goto(linkOf(client));
  return connectFrame(page);
}

export function embeddedConnect(page: Page): FrameLocator {
  return page.frameLocator('iframe[title="Pluggy"][name^="__zoid__pluggy_connect_widget__"]');
}

/** Waits until Connect's frame is usable. */
export async function connectFrame(page: Page): Promise<FrameLocator> {
  const frame = embeddedConnect(page);
  await expect(frame.getByRole('button', { name: 'Continuar' })).toBeVisible();
  return frame;
}

/** Waits until the islands of a page are hydrated; skips the entry page, which navigates on. */
export async function waitForHydration(page: Page): Promise<void> {
  await expect(page.locator('body:not([data-page="entry"])')).toHaveAttribute('data-islands', 'alive');
}
