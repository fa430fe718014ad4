/** A second link is opened in the same browser: the pages of the first stop at once. */
import type { BrowserContext, Page } from '@playwright/test';
import { watchPrefetch, isPrefetched } from '../prefetch.ts';
import { findings } from '../axe.ts';
import { ACCOUNTS, type Client } from '../client.ts';
import { installClock, stopClock } from '../clock.ts';
import { expect, linkOf, test } from '../fixtures.ts';
import { arriveAtAccounts, arriveAtConnect, CONSENT, waitForHydration } from '../journey-steps.ts';

const CONTINUE = 'Continuar com o link mais recente';

/** What the first tab hears when it asks. */
const REPLACED = /status of 409 .*check_session/;

const notice = (page: Page) => page.getByRole('alertdialog', { name: 'Você abriu outro link' });
const toasts = (page: Page) => page.getByRole('region', { name: 'Avisos' }).getByRole('paragraph');

/** Opens another client's link in a second tab. */
async function openSecond(context: BrowserContext, client: Client): Promise<Page> {
  const other = await context.newPage();
  await other.goto(linkOf(client));
  await waitForHydration(other);
  return other;
}

/** Gives the consent, with its response held back until the returned function is called. */
async function consentUnderWay(page: Page, client: Client): Promise<() => void> {
  await page.goto(linkOf(client));
  await waitForHydration(page);
  await page.getByRole('checkbox').check();
  const release = client.hold('authorize-customer');
  await page.getByRole('button', { name: CONSENT }).click();
  await expect.poll(() => client.requestsOf('authorize-customer').length).toBe(1);
  return release;
}

/** Pages of this tab get no broadcasts, as in the back/forward cache or in a browser that isolates tabs. */
async function blockBroadcasts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.BroadcastChannel = class extends BroadcastChannel {
      override addEventListener(): void {}
    };
  });
}

test('the notice is there before the action under way is answered', async ({ page, context, newClient, browserErrors }) => {
  browserErrors.expect(REPLACED);
  const release = await consentUnderWay(page, newClient());
  await openSecond(context, newClient());
  await expect(notice(page)).toBeVisible();
  await expect(toasts(page)).toHaveCount(0);
  release();
});

test('a late answer to the first leaves the second as it is', async ({ page, context, newClient, browserErrors }) => {
  browserErrors.expect(REPLACED);
  const [first, second] = [newClient(), newClient({ client_name: 'Oficina do Segundo Link' })];
  const release = await consentUnderWay(page, first);
  const ofConsent = (request: { url: () => string }) => request.url().endsWith('/api/accept_consent');
  const ended = Promise.race([
    page.waitForEvent('requestfinished', ofConsent),
    page.waitForEvent('requestfailed', ofConsent),
  ]);
  const other = await openSecond(context, second);
  await expect(notice(page)).toBeVisible();
  release();
  await ended;
  await other.reload();
  await waitForHydration(other);
  await expect(other.getByText(second.data.client_name)).toBeVisible();
  await other.getByRole('checkbox').check();
  await other.getByRole('button', { name: CONSENT }).click();
  await expect(other).toHaveURL('/integration/accounts');
  expect(second.requestsOf('authorize-customer')).toHaveLength(1);
});

test('the notice has the focus, passes axe, takes no Escape, and nothing behind it can be reached @both-sizes', async ({
  page,
  context,
  newClient,
  browserErrors,
}) => {
  browserErrors.expect(REPLACED);
  await page.goto(linkOf(newClient()));
  await waitForHydration(page);
  await openSecond(context, newClient());
  await page.bringToFront();
  await expect(page.getByRole('link', { name: CONTINUE })).toBeFocused();
  for (const key of ['Escape', 'Escape', 'Tab', 'Tab', 'Shift+Tab', 'Escape']) {
    await page.keyboard.press(key);
    await expect(notice(page)).toBeVisible();
    expect(await page.evaluate(() => document.activeElement?.closest('dialog, body')?.id ?? '')).not.toBe('conteudo');
    await expect(page.getByRole('checkbox')).not.toBeFocused();
  }
  await expect(page.getByRole('checkbox').click({ timeout: 500 })).rejects.toThrow();
  expect(await findings(page)).toEqual([]);
});

for (const [type, address] of [
  ['new', '/integration/widget'],
  ['cancel', '/cancel/confirm'],
] as const) {
  test(`the way on leads to what the newer link is for: ${type}`, async ({ page, context, newClient, browserErrors }) => {
    browserErrors.expect(REPLACED);
    await page.goto('/acessibilidade');
    await page.goto(linkOf(newClient()));
    await waitForHydration(page);
    const other = await openSecond(context, newClient({ widget_type: type, client_name: 'Oficina do Segundo Link' }));
    await page.getByRole('link', { name: CONTINUE }).click();
    await expect(page).toHaveURL(address);
    await waitForHydration(page);
    for (const tab of [page, other]) await expect(notice(tab)).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL('/acessibilidade');
  });
}

test('the polls of the first end without a message', async ({ page, context, newClient, browserErrors }) => {
  browserErrors.expect(REPLACED);
  const [first, second] = [newClient(), newClient()];
  first.accounts = [ACCOUNTS[0]];
  await installClock(page);
  await arriveAtAccounts(page, first);
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
  await stopClock(page);
  const release = first.hold('list-accounts');
  const before = first.requestsOf('list-accounts').length;
  await page.clock.runFor(3000);
  await expect.poll(() => first.requestsOf('list-accounts').length).toBe(before + 1);
  // The stopped clock stops all tabs: wait for nothing beyond the page itself.
  await (await context.newPage()).goto(linkOf(second));
  await expect(notice(page)).toBeVisible();
  release();
  let asked = 0;
  page.on('request', () => {
    asked += 1;
  });
  await page.clock.runFor(120_000);
  expect(asked).toBe(0);
  await expect(toasts(page)).toHaveCount(0);
  expect(second.requestsOf('list-accounts')).toEqual([]);
});

test('the notice lies over an open Connect', async ({ page, context, newClient, browserErrors }) => {
  browserErrors.expect(REPLACED);
  await arriveAtConnect(page, newClient());
  await openSecond(context, newClient());
  await page.getByRole('link', { name: CONTINUE }).click();
  await expect(page).toHaveURL('/integration/widget');
});

test('the same link in two tabs is one session: neither is stopped', async ({ page, context, newClient }) => {
  const client = newClient();
  await page.goto(linkOf(client));
  await waitForHydration(page);
  const other = await openSecond(context, client);
  for (const tab of [page, other]) await expect(notice(tab)).toBeHidden();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page).toHaveURL('/integration/accounts');
});

test('a prefetched bank form shows nothing of the second client, and its request is rejected', async ({
  page,
  context,
  newClient,
  browserErrors,
}) => {
  browserErrors.expect(/status of 409 .*list_banks/);
  const [first, second] = [newClient(), newClient({ widget_account_admin_name: 'Rui da Segunda Aba' })];
  const { ready } = await watchPrefetch(page);
  // Neither a broadcast nor a poll notifies the first tab of the second link.
  await blockBroadcasts(page);
  first.hold('list-accounts');
  await arriveAtAccounts(page, first);
  await expect.poll(() => first.requestsOf('list-accounts').length).toBe(1);
  await page.getByRole('link', { name: 'Integrar novo banco' }).hover();
  await ready;
  const other = await context.newPage();
  await arriveAtAccounts(other, second);
  await page.getByRole('link', { name: 'Integrar novo banco' }).click();
  await expect(page).toHaveURL('/integration/select-bank');
  expect(await isPrefetched(page)).toBe(true);
  await expect(notice(page)).toBeVisible();
  await expect(page.getByText('Rui da Segunda Aba')).toHaveCount(0);
  await expect(page.getByLabel('Nome completo do administrador')).not.toHaveValue('Rui da Segunda Aba');
  for (const client of [first, second]) expect(client.requestsOf('list-banks')).toEqual([]);
});

test.describe('a page that gets no message about the second link', () => {
  test('asks when it is shown from the back/forward cache', async ({ page, context, newClient, browserErrors }) => {
    browserErrors.expect(REPLACED);
    await blockBroadcasts(page);
    await page.goto(linkOf(newClient()));
    await waitForHydration(page);
    await openSecond(context, newClient());
    await expect(notice(page)).toBeHidden();
    await page.evaluate(() => {
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await expect(notice(page)).toBeVisible();
  });

  test('is rejected by the server, and then shows the notice: React', async ({ page, context, newClient, browserErrors }) => {
    browserErrors.expect(/status of 409 .*accept_consent/);
    const [first, second] = [newClient(), newClient()];
    await blockBroadcasts(page);
    await page.goto(linkOf(first));
    await waitForHydration(page);
    await openSecond(context, second);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: CONSENT }).click();
    await expect(notice(page)).toBeVisible();
    for (const client of [first, second]) expect(client.requestsOf('authorize-customer')).toEqual([]);
  });

  test('is rejected by the server, and then shows the notice: Leptos', async ({ page, context, newClient, browserErrors }) => {
    browserErrors.expect(/status of 409 .*cancel_integrations/);
    const [first, second] = [newClient({ widget_type: 'cancel' }), newClient({ widget_type: 'cancel' })];
    first.accounts = ACCOUNTS;
    await blockBroadcasts(page);
    await page.goto(linkOf(first));
    await expect(page.getByRole('cell', { name: ACCOUNTS[0].number })).toBeVisible();
    await waitForHydration(page);
    await openSecond(context, second);
    await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
    await expect(notice(page)).toBeVisible();
    for (const client of [first, second]) expect(client.requestsOf('cancel-integrations')).toEqual([]);
  });
});
