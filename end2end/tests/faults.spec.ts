/**
 * Faults between browser and server: no network, a reload during an action, a double click, files that do not load.
 * After each there is a message and a way to continue, and the user's progress is kept.
 */
import type { BrowserContext, Page } from '@playwright/test';
import { ACCOUNTS, ADMIN, CPF } from '../client.ts';
import { installClock } from '../clock.ts';
import { expect, linkOf, test } from '../fixtures.ts';
import {
  arriveAtAccounts,
  arriveAtBankForm,
  arriveAtConnect,
  arriveAtUpdate,
  arriveBeforeConnect,
  chooseBank,
  connectFrame,
  CONSENT,
  fillAdministrator,
  waitForHydration,
} from '../journey-steps.ts';
import { startSession } from '../session.ts';
import type { BrowserErrors } from '../browser-errors.ts';

test.use({ withConnect: true });

const NO_REPLY = 'Houve falha na requisição.';
const CANCEL = 'Cancelar todas integrações';
const DONE = 'Integração concluída com sucesso!';
const BROKEN = 'Não foi possível mostrar esta parte da página.';

/** Runs `act` without a network. */
async function offline(context: BrowserContext, browserErrors: BrowserErrors, act: () => Promise<void>): Promise<void> {
  browserErrors.expect(/request failed: .* net::ERR_INTERNET_DISCONNECTED/, /console error: .*ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await act();
  await context.setOffline(false);
}

async function toasts(page: Page): Promise<void> {
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText(NO_REPLY)).toBeVisible();
}

test.describe('offline', () => {
  test('a consent is kept ticked and can be sent again', async ({ page, context, newClient, browserErrors }) => {
    const client = newClient();
    await page.goto(linkOf(client));
    await waitForHydration(page);
    await page.getByRole('checkbox').check();
    await offline(context, browserErrors, async () => {
      await page.getByRole('button', { name: CONSENT }).click();
      await toasts(page);
    });
    await expect(page.getByRole('checkbox')).toBeChecked();
    await page.getByRole('button', { name: CONSENT }).click();
    await expect(page).toHaveURL('/integration/accounts');
    expect(client.requestsOf('authorize-customer')).toHaveLength(1);
  });

  test('the accounts stay, say since when, and come back', async ({ page, context, newClient, browserErrors }) => {
    const client = newClient();
    client.accounts = ACCOUNTS;
    await installClock(page);
    await arriveAtAccounts(page, client);
    await expect(page.getByRole('cell', { name: ACCOUNTS[0].number })).toBeVisible();
    await offline(context, browserErrors, async () => {
      await page.clock.runFor(3000);
      await expect(page.getByText(/sem resposta do servidor · atualizado às/)).toBeVisible();
      await expect(page.getByRole('cell', { name: ACCOUNTS[0].number })).toBeVisible();
    });
    await page.clock.runFor(3000);
    await expect(page.getByText('2 contas autorizadas · atualizado agora')).toBeVisible();
  });

  test('a bank form keeps what was typed', async ({ page, context, newClient, browserErrors }) => {
    await arriveAtBankForm(page, newClient());
    await chooseBank(page, 'Bradesco');
    await fillAdministrator(page);
    await offline(context, browserErrors, async () => {
      await page.getByRole('button', { name: 'Avançar' }).click();
      await toasts(page);
    });
    await expect(page.getByLabel('Nome completo do administrador')).toHaveValue(ADMIN);
    await expect(page.getByLabel('CPF do administrador')).toHaveValue(CPF);
    await page.getByRole('button', { name: 'Avançar' }).click();
    await expect(page).toHaveURL('/integration/widget');
  });

  test('a success at the bank is not lost, and needs no second login', async ({
    page,
    context,
    newClient,
    standIn,
    browserErrors,
  }) => {
    const client = newClient();
    const frame = await arriveAtConnect(page, client);
    await offline(context, browserErrors, async () => {
      await frame.getByRole('button').click();
      await expect(page.getByRole('button', { name: 'Tentar de novo' })).toBeVisible();
    });
    await page.getByRole('button', { name: 'Tentar de novo' }).click();
    await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
    expect(standIn.openings).toBe(1);
  });
});

test('a page that stays after its call was answered offers the way on', async ({ page, newClient }) => {
  const client = newClient();
  await installClock(page);
  await page.goto(linkOf(client));
  await waitForHydration(page);
  await page.route('/integration/accounts', (route) => route.fulfill({ status: 204 }));
  const button = page.getByRole('button', { name: CONSENT });
  await page.getByRole('checkbox').check();
  const stopped = page.waitForResponse('/integration/accounts');
  await button.click();
  await stopped;
  await page.clock.runFor(8000);
  await expect(button).not.toHaveAttribute('aria-busy');
  const again = page.waitForRequest('/integration/accounts');
  await button.click();
  await again;
  await page.unroute('/integration/accounts');
  await page.getByRole('region', { name: 'Avisos' }).getByRole('link', { name: 'Continuar' }).click();
  await expect(page).toHaveURL('/integration/accounts');
  expect(client.requestsOf('authorize-customer')).toHaveLength(1);
});

test.describe('a reload in the middle', () => {
  test('of a consent asks for it again', async ({ page, newClient }) => {
    const client = newClient();
    const release = client.hold('authorize-customer');
    await page.goto(linkOf(client));
    await waitForHydration(page);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: CONSENT }).click();
    await expect.poll(() => client.requestsOf('authorize-customer').length).toBe(1);
    await page.reload();
    await waitForHydration(page);
    release();
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: CONSENT }).click();
    await expect(page).toHaveURL('/integration/accounts');
  });

  test('of a bank’s success reports it all the same', async ({ page, newClient, standIn }) => {
    const client = newClient({ widget_type: 'update', link_id: 'a-link' });
    const release = client.hold('update-link-account');
    const frame = await arriveAtUpdate(page, client);
    await frame.getByRole('button').click();
    await expect.poll(() => client.requestsOf('update-link-account').length).toBe(1);
    await page.reload();
    release();
    const logged = () => client.log.filter(({ type }) => type === 'pluggy-widget-success').length;
    await expect.poll(logged).toBe(1);
    await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
    expect(standIn.openings).toBe(1);
  });

  test('of a bank’s success without a network delivers it, and the bank is not opened again', async ({
    page,
    context,
    newClient,
    standIn,
    browserErrors,
  }) => {
    const client = newClient();
    const frame = await arriveAtConnect(page, client);
    await offline(context, browserErrors, async () => {
      await frame.getByRole('button').click();
      await expect(page.getByRole('button', { name: 'Tentar de novo' })).toBeVisible();
    });
    await page.reload();
    await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
    expect(standIn.openings).toBe(1);
    expect(client.requestsOf('connect-token')).toHaveLength(1);
    expect(client.log.filter(({ type }) => type === 'pluggy-widget-success')).toHaveLength(1);
  });

  test('on a page that does not wait for it delivers a bank’s success, too', async ({ page, newClient }) => {
    const client = newClient();
    await arriveAtBankForm(page, client);
    await page.evaluate(() => {
      const session = document.getElementById('other-tab')?.dataset.session;
      sessionStorage.setItem(`vincula-item:${session}`, JSON.stringify({ itemId: 'an-item', bank: '', at: 0 }));
    });
    await page.reload();
    await expect.poll(() => client.log.filter(({ type }) => type === 'pluggy-widget-success')).toHaveLength(1);
    await expect(page).toHaveURL('/integration/select-bank');
    await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  test('on the accounts delivers a bank’s success, and shows it as waiting', async ({ page, newClient }) => {
    const client = newClient();
    await arriveAtBankForm(page, client);
    const session = await page.locator('#other-tab').getAttribute('data-session');
    // A page that delivers nothing.
    await page.goto('/acessibilidade');
    await page.evaluate((session) => {
      const item = { itemId: 'an-item', bank: 'Itaú', at: Date.now() };
      sessionStorage.setItem(`vincula-item:${session}`, JSON.stringify(item));
    }, session);
    const actions: string[] = [];
    page.on('request', (request) => actions.push(...(/\/api\/(\w+)$/.exec(request.url())?.slice(1) ?? [])));
    await page.goto('/integration/accounts');
    await expect(page.getByRole('row').filter({ hasText: 'Itaú' })).toContainText('Em confirmação');
    await expect(page.getByText(/^Para conectar uma conta/)).toBeHidden();
    await expect.poll(() => client.requestsOf('success')).toHaveLength(1);
    expect(client.log.filter(({ type }) => type === 'pluggy-widget-success')).toHaveLength(1);
    expect(actions.slice(0, 2).sort(), 'at once').toEqual(['finish_connect', 'list_accounts']);
    await page.reload();
    await expect(page.getByRole('row').filter({ hasText: 'Em confirmação' }), 'now by the session').toHaveCount(1);
  });

  test('of a cancellation shows that nothing is left to cancel', async ({ page, newClient }) => {
    const client = newClient({ widget_type: 'cancel' });
    client.accounts = ACCOUNTS;
    const release = client.hold('cancel-integrations');
    await page.goto(linkOf(client));
    await waitForHydration(page);
    await page.getByRole('button', { name: CANCEL }).click();
    await expect.poll(() => client.requestsOf('cancel-integrations').length).toBe(1);
    await page.reload();
    client.accounts = [];
    release();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Você não tem contas conectadas.');
    await expect(page.getByRole('button', { name: CANCEL })).toBeHidden();
  });
});

test.describe('a double click', () => {
  test('gives one consent, one form, one cancellation', async ({ page, newClient }) => {
    const client = newClient();
    await page.goto(linkOf(client));
    await waitForHydration(page);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: CONSENT }).dblclick();
    await expect(page).toHaveURL('/integration/accounts');
    expect(client.requestsOf('authorize-customer')).toHaveLength(1);
    await waitForHydration(page);
    await page.getByRole('link', { name: 'Integrar novo banco' }).dblclick();
    await expect(page).toHaveURL('/integration/select-bank');
    await chooseBank(page, 'Itaú');
    await fillAdministrator(page);
    await page.getByRole('button', { name: 'Avançar' }).dblclick();
    await connectFrame(page);
    expect(client.requestsOf('connect-token')).toHaveLength(1);
    client.accounts = ACCOUNTS;
    await page.goto('/cancel/confirm');
    await waitForHydration(page);
    await page.getByRole('button', { name: CANCEL }).dblclick();
    await expect(page).toHaveURL('/cancel/success');
    expect(client.requestsOf('cancel-integrations')).toHaveLength(1);
  });

  test('asks once more, not twice', async ({ page, newClient, browserErrors }) => {
    browserErrors.expect(/status of 504/);
    const client = newClient().respond('list-accounts', 'cut', undefined).respond('success', 'drop', undefined);
    await page.goto(linkOf(client, '&of-success'));
    await page.getByRole('button', { name: 'Tentar de novo' }).dblclick();
    await expect.poll(() => client.requestsOf('success').length).toBe(2);
    await expect(page.getByRole('button', { name: 'Tentar de novo' })).toBeHidden();
    client.accounts = ACCOUNTS;
    await page.goto('/cancel/confirm');
    await page.getByRole('button', { name: 'Tentar de novo' }).dblclick();
    await expect(page.getByRole('button', { name: CANCEL })).toBeVisible();
    expect(client.requestsOf('list-accounts')).toHaveLength(2);
    expect(client.requestsOf('success')).toHaveLength(2);
  });
});

test('Back after a cancellation shows the accounts as they are now', async ({ page, newClient }) => {
  const client = newClient();
  client.accounts = ACCOUNTS;
  await arriveAtAccounts(page, client);
  await page.getByRole('link', { name: 'clique aqui' }).click();
  await waitForHydration(page);
  await expect(page.getByRole('cell', { name: ACCOUNTS[0].number })).toBeVisible();
  client.accounts = [];
  await page.getByRole('button', { name: CANCEL }).click();
  await expect(page).toHaveURL('/cancel/success');
  await page.goBack();
  await expect(page).toHaveURL('/integration/accounts');
  await expect(page.getByText('Nenhuma conta autorizada', { exact: false }).first()).toBeVisible();
  await expect(page.getByRole('cell', { name: ACCOUNTS[0].number })).toBeHidden();
  await page.goForward();
  await expect(page).toHaveURL('/cancel/success');
  expect(client.requestsOf('cancel-integrations')).toHaveLength(1);
});

/** React's files, without the bridge, which mounts them and is in the same folder. */
const REACT = /\/islands\/(?!bridge-)[^/]*\.js$/;

/** As after a release, if the old files are gone, or behind a proxy that blocks them. */
const LOSSES = {
  'not found': { response: { status: 404, body: '' }, errors: [/console error: .*status of 404/] },
  'cut off': { response: undefined, errors: [/request failed: .* net::ERR_FAILED/, /console error: .*ERR_FAILED/] },
};

/** Makes requests for these files fail from now on. */
async function lose(page: Page, files: string | RegExp, how: keyof typeof LOSSES, browserErrors: BrowserErrors): Promise<void> {
  const { response, errors } = LOSSES[how];
  browserErrors.expect(...errors);
  await page.route(files, (route) => (response === undefined ? route.abort() : route.fulfill(response)));
}

for (const { what, files, how } of [
  { what: 'the wasm module', files: /\.wasm$/, how: 'cut off' },
  { what: 'its glue', files: /\/(pkg|islands\/bridge-)[^/]*(\/[^/]*)?\.js$/, how: 'not found' },
] as const) {
  test(`${what} ${how}: the page says so, and a reload helps`, async ({ page, newClient, browserErrors }) => {
    await startSession(page, newClient(), 'consented');
    await lose(page, files, how, browserErrors);
    for (const path of ['/integration/accounts', '/integration/select-bank', '/cancel/confirm']) {
      await page.goto(path);
      await expect(page.getByRole('alert')).toContainText(BROKEN);
    }
    await page.unroute(files);
    await page.getByRole('link', { name: 'Recarregar a página' }).click();
    await waitForHydration(page);
    await expect(page.getByRole('alert')).toBeHidden();
  });
}

test('React not found: the form says so, and a reload helps', async ({ page, newClient, browserErrors, production }) => {
  await startSession(page, newClient(), 'consented');
  await lose(page, REACT, 'not found', browserErrors);
  await page.goto('/integration/select-bank');
  await expect(page.getByRole('alert')).toContainText(BROKEN);
  await expect.poll(() => production.output()).toContain('island failed');
  await page.unroute(REACT);
  await page.getByRole('link', { name: 'Recarregar a página' }).click();
  await expect(page.getByRole('combobox')).toBeEditable();
});

test('React cut off: the consent works without it', async ({ page, newClient, browserErrors }) => {
  await lose(page, REACT, 'cut off', browserErrors);
  await page.goto(linkOf(newClient()));
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page).toHaveURL('/integration/accounts');
});

test('the Connect SDK not found: a card says so, and trying again helps', async ({
  page,
  newClient,
  browserErrors,
  standIn,
}) => {
  const files = await lazyFiles(page);
  await lose(page, files, 'not found', browserErrors);
  await arriveBeforeConnect(page, newClient());
  await expect(page.getByRole('alert')).toContainText('Não foi possível abrir a conexão com o banco');
  expect(standIn.openings).toBe(0);
  await page.unroute(files);
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  const frame = await connectFrame(page);
  await frame.getByRole('button').click();
  await expect(page.getByRole('heading', { name: DONE })).toBeVisible();
});

/** A pattern for the URL of the file with Connect's SDK, which the manifest lists under `preload`. */
async function lazyFiles(page: Page): Promise<string> {
  const manifest: unknown = await (await page.request.get('/islands/manifest.json')).json();
  const name = /"preload":\["([^"]+)"/.exec(JSON.stringify(manifest))?.[1];
  expect(name).toBeDefined();
  return `**${name}`;
}
