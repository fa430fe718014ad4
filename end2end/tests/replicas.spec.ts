/**
 * Two replicas, one of which is killed in the middle of each step: no session is lost, and each screen asks
 * the user to try again.
 */
import type { Page } from '@playwright/test';
import { ACCOUNTS } from '../client.ts';
import { expect, linkOf, test as base } from '../fixtures.ts';
import { chooseBank, connectFrame, CONSENT, fillAdministrator, waitForHydration } from '../journey-steps.ts';
import { Replicas } from '../replicas.ts';
import { newKey } from '../servers.ts';

const test = base.extend<{ replicas: Replicas }>({
  replicas: async ({ upstream }, use) => {
    const replicas = await Replicas.start(upstream.url);
    await use(replicas);
    await replicas.stop();
  },
  baseURL: async ({ replicas }, use) => use(replicas.url),
});

test.use({ withConnect: true });

const NO_REPLY = 'Houve falha na requisição.';

async function toasts(page: Page): Promise<void> {
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText(NO_REPLY)).toBeVisible();
}

test('a journey goes on, whichever step the machine fails in', async ({ page, newClient, replicas, browserErrors }) => {
  test.slow();
  browserErrors.expect(/status of 502/);
  const client = newClient({ link_id: 'a-link' });
  client.accounts = ACCOUNTS;

  /** Kills the replica while its upstream call is pending. */
  const crashAmid = async (call: Parameters<typeof client.hold>[0], action: string, act: () => Promise<unknown>) => {
    const [before, release] = [client.requestsOf(call).length, client.hold(call)];
    await act();
    await expect.poll(() => client.requestsOf(call).length).toBe(before + 1);
    await replicas.crash(`/api/${action}`);
    release();
  };

  await crashAmid('validate-token', 'validate_token', () => page.goto(linkOf(client)));
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page).toHaveURL('/integration/widget');

  await waitForHydration(page);
  await page.getByRole('checkbox').check();
  const consent = page.getByRole('button', { name: CONSENT });
  await crashAmid('authorize-customer', 'accept_consent', () => consent.click());
  await toasts(page);
  await consent.click();
  await expect(page).toHaveURL('/integration/accounts');

  await expect(page.getByRole('cell', { name: ACCOUNTS[0].number })).toBeVisible();
  await crashAmid('list-accounts', 'list_accounts', async () => {});
  await toasts(page);
  await expect(page.getByRole('cell', { name: ACCOUNTS[0].number })).toBeVisible();
  await expect(page.getByText('2 contas autorizadas · atualizado agora')).toBeVisible();

  await crashAmid('list-banks', 'list_banks', () => page.goto('/integration/select-bank'));
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await chooseBank(page, 'Itaú');
  await fillAdministrator(page);

  await crashAmid('connect-token', 'open_connect', () => page.getByRole('button', { name: 'Avançar' }).click());
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  const frame = await connectFrame(page);

  await crashAmid('update-link-account', 'finish_connect', () => frame.getByRole('button').click());
  await crashAmid('success', 'confirm_success', () => page.getByRole('button', { name: 'Tentar de novo' }).click());
  await expect(page).toHaveURL('/integration/success');
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect.poll(() => client.requestsOf('success').length).toBe(2);
  await expect(page.getByRole('button', { name: 'Tentar de novo' })).toBeHidden();

  client.accounts = ACCOUNTS;
  await page.goto('/cancel/confirm');
  const cancel = page.getByRole('button', { name: 'Cancelar todas integrações' });
  await crashAmid('cancel-integrations', 'cancel_integrations', () => cancel.click());
  await toasts(page);
  await cancel.click();
  await expect(page).toHaveURL('/cancel/success');
});

/** Every replica has a key before any seals with it, and as long as cookies are sealed with it. */
test('keys are changed one machine after the other, and nobody notices', async ({ page, newClient, replicas }) => {
  const client = newClient();
  await page.goto(linkOf(client));
  await waitForHydration(page);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page).toHaveURL('/integration/accounts');
  const fresh = newKey();
  const goOn = async () => {
    await page.goto('/integration/select-bank');
    await expect(page.getByRole('combobox')).toBeEditable();
    await chooseBank(page, 'Itaú');
    await fillAdministrator(page);
    await page.getByRole('button', { name: 'Avançar' }).click();
    // Either replica seals the new cookie, and both read it.
    await expect(page).toHaveURL('/integration/widget');
    for (const path of ['/integration/accounts', '/integration/select-bank', '/integration/accounts']) {
      await page.goto(path);
      await expect(page).toHaveURL(path);
    }
  };
  const [old] = replicas.keys;
  for (const keys of [[String(old), fresh], [fresh, String(old)], [fresh]]) await replicas.roll(keys, goOn);
});
