/** The displayed age of the list of accounts, and the pauses between its polls. */
import type { Page } from '@playwright/test';
import { ACCOUNTS, type Client } from '../client.ts';
import { installClock, stopClock } from '../clock.ts';
import { expect, test } from '../fixtures.ts';
import { arriveAtAccounts } from '../journey-steps.ts';

const NOW = '1 conta autorizada · atualizado agora';
const OLD = /^1 conta autorizada · atualizado às \d\dh\d\d/;
const UNANSWERED = /^1 conta autorizada · sem resposta do servidor · atualizado às \d\dh\d\d/;
const SLOW = /Está demorando mais que o normal…$/;

const status = (page: Page) => page.locator('.live-status');

/** Opens the accounts screen with one account, and stops its clock. */
async function arrive(page: Page, client: Client): Promise<void> {
  client.accounts = [ACCOUNTS[0]];
  await installClock(page);
  await page.addInitScript(() => {
    const polls: number[] = [];
    const seen = { polls, underWay: 0 };
    const { fetch } = window;
    window.fetch = async (...args) => {
      if (!String(args[0]).endsWith('/api/list_accounts')) return fetch(...args);
      polls.push(Date.now());
      seen.underWay += 1;
      return fetch(...args).finally(() => {
        seen.underWay -= 1;
      });
    };
    Object.assign(window, { seen });
  });
  await arriveAtAccounts(page, client);
  await expect(status(page)).toHaveText(NOW);
  await stopClock(page);
}

type Seen = { polls: number[]; underWay: number };

const seen = (page: Page): Promise<Seen> => page.evaluate(() => (window as unknown as { seen: Seen }).seen);

/** The times of the page's polls, by its own clock. */
const polls = async (page: Page): Promise<number[]> => (await seen(page)).polls;

/** Advances the clock until the page has made `count` polls, except while one is pending. */
async function until(page: Page, count: number): Promise<number[]> {
  for (;;) {
    const { polls: made, underWay } = await seen(page);
    if (made.length >= count) return made;
    if (underWay === 0) await page.clock.runFor(1000);
  }
}

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, hidden);
}

test('a poll that hangs is shown as slow, the list as old, and is given up after a minute', async ({
  page,
  newClient,
}) => {
  const client = newClient();
  await arrive(page, client);
  const release = client.hold('list-accounts');
  await page.clock.runFor(9000);
  await expect(status(page)).toHaveText(NOW);
  expect(await polls(page)).toHaveLength(2);
  await page.clock.runFor(1500);
  await expect(status(page)).toHaveText(OLD);
  await expect(status(page)).toHaveText(SLOW);
  await page.clock.runFor(53_000);
  await expect(status(page)).toHaveText(UNANSWERED);
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText('Houve falha na requisição.')).toBeVisible();
  await expect(page.getByText(ACCOUNTS[0].number)).toBeVisible();
  release();
  await until(page, 3);
  await expect(status(page)).toHaveText(NOW);
});

test('a first load that hangs is shown as slow, and waited for', async ({ page, newClient }) => {
  const client = newClient();
  client.accounts = [ACCOUNTS[0]];
  const release = client.hold('list-accounts');
  await installClock(page);
  await arriveAtAccounts(page, client);
  await expect.poll(() => client.requestsOf('list-accounts').length).toBe(1);
  await expect(status(page)).toHaveText('Carregando suas contas…');
  await stopClock(page);
  await page.clock.runFor(8000);
  await expect(status(page)).toHaveText('Está demorando mais que o normal…');
  await page.clock.runFor(300_000);
  release();
  await expect(status(page)).toHaveText(NOW);
});

test('a tab that is seen again after an hour does not claim that its list is of now', async ({
  page,
  newClient,
}) => {
  const client = newClient();
  await arrive(page, client);
  await setHidden(page, true);
  await page.clock.fastForward(3_600_000);
  const release = client.hold('list-accounts');
  await setHidden(page, false);
  await expect(status(page)).toHaveText(OLD);
  release();
  await expect(status(page)).toHaveText(NOW);
});

test('polls without an answer wait longer each time, up to 30 s, and no more once somebody returns', async ({
  page,
  newClient,
  browserErrors,
}) => {
  browserErrors.expect(/status of 504 .*list_accounts/);
  const client = newClient();
  await arrive(page, client);
  client.respond('list-accounts', 'drop');
  const made = await until(page, 7);
  const pauses = made.slice(2).map((at, index) => Math.floor((at - (made[index + 1] ?? 0)) / 3000) * 3);
  expect(pauses).toEqual([3, 6, 12, 24, 30]);
  // As soon as the seventh has its response, with the clock stopped.
  const again = async () => {
    await setHidden(page, true);
    await setHidden(page, false);
    return (await polls(page)).length;
  };
  await expect.poll(again).toBe(8);
  await expect.poll(async () => (await seen(page)).underWay).toBe(0);
  client.respond('list-accounts', undefined);
  const [eighth = 0, ninth = 0, tenth = 0] = (await until(page, 10)).slice(7);
  expect(ninth - eighth).toBeGreaterThanOrEqual(30_000);
  expect(tenth - ninth).toBeLessThan(6000);
});

test('a poll that is asked to come back later does', async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(/status of 503 .*list_accounts/);
  await arrive(page, newClient());
  await page.route('**/api/list_accounts', (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '20' }, json: { kind: 'no_reply' } }),
  );
  const [, second = 0, third = 0] = await until(page, 3);
  expect(third - second).toBeGreaterThanOrEqual(20_000);
  expect(third - second).toBeLessThan(25_000);
});
