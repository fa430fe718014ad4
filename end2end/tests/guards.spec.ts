/** Who may see which page when (spec §2, route table; §6; design D1, D5, D6, D12). */
import { expect, linkOf, test } from '../fixtures.ts';
import { arriveAtAccounts } from '../person.ts';

const PROTECTED = [
  '/integration/widget',
  '/integration/accounts',
  '/integration/select-bank',
  '/integration/new',
  '/integration/update',
  '/integration/success',
  '/cancel/confirm',
  '/cancel/success',
];

for (const path of PROTECTED) {
  test(`${path} without a session leads to the entry, and so to token-not-found @any-size`, async ({
    page,
    request,
  }) => {
    const answer = await request.get(path, { maxRedirects: 0 });
    expect(answer.status()).toBe(303);
    expect(answer.headers().location).toBe('/');
    await page.goto(path);
    await expect(page).toHaveURL('/error/token-not-found');
  });

  test(`${path} with a forged session is one without @any-size`, async ({ request }) => {
    const headers = { cookie: `__Host-vincula=${'A'.repeat(200)}` };
    const answer = await request.get(path, { maxRedirects: 0, headers });
    expect(answer.headers().location).toBe('/');
  });
}

for (const action of [
  'accept_consent',
  'list_accounts',
  'list_banks',
  'save_bank_form',
  'open_connect',
  'finish_connect',
  'confirm_success',
  'cancel_integrations',
]) {
  test(`the action ${action} needs a session @any-size`, async ({ request, baseURL, upstream }) => {
    const data = { input: { session: '0', bank: '001', name: 'A', cpf: '52998224725', itemId: 'x' } };
    const answer = await request.post(`/api/${action}`, { data, headers: { origin: baseURL ?? '' } });
    expect(answer.status()).toBe(401);
    expect(await answer.json()).toMatchObject({ kind: 'navigate', to: '/' });
    expect(upstream.strays).toEqual([]);
  });
}

test('before the consent, what comes after it leads back to it @any-size', async ({ page, newClient }) => {
  const client = newClient();
  await page.goto(linkOf(client));
  await expect(page).toHaveURL('/integration/widget');
  for (const path of ['/integration/new', '/integration/select-bank', '/integration/update', '/integration/success']) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/integration/widget');
  }
  expect(client.story).toEqual(['validate-token']);
});

test('after the consent, /integration/new and /integration/widget lead on @any-size', async ({ page, newClient }) => {
  await arriveAtAccounts(page, newClient());
  await page.goto('/integration/new');
  await expect(page).toHaveURL('/integration/accounts');
  await page.goto('/integration/widget');
  await expect(page).toHaveURL('/integration/select-bank');
});

test('the error screens are open to everybody, also with a session @any-size', async ({ page, newClient }) => {
  await page.goto('/error/token-expired');
  await expect(page).toHaveURL('/error/token-expired');
  await arriveAtAccounts(page, newClient());
  await page.goto('/error/link-not-exists');
  await expect(page).toHaveURL('/error/link-not-exists');
});

test('in production nothing of the sandbox can be reached @any-size', async ({ request }) => {
  for (const path of ['/sandbox', '/sandbox/connect', '/sandbox/connect.js']) {
    expect((await request.get(path)).status(), path).toBe(404);
  }
});
