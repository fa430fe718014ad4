/**
 * A sibling site under the same domain: it may set cookies for the whole domain, which the browser sends to us along with
 * our own, and before it if their path is longer. Over TLS, since browsers accept `__Host-` cookies only there.
 */
import type { Page } from '@playwright/test';
import { ACCOUNTS } from '../client.ts';
import { newCertificate } from '../engines/certificate.ts';
import { type HttpServer, serve, startProxy } from '../engines/proxy.ts';
import { expect, linkOf, test as base } from '../fixtures.ts';
import { giveConsent } from '../journey-steps.ts';

/** Its names resolve to this machine: see `playwright.config.ts`. */
const DOMAIN = 'firma.example';

/** Names that decode to `__Host-vincula`; for a browser they are ordinary names. */
const SPELLINGS = [
  '__Host%2dvincula',
  '__Host%2Dvincula',
  '%5f%5fHost-vincula',
  '__%48ost-vincul%61',
  '%5F%5F%48%6F%73%74%2D%76%69%6E%63%75%6C%61',
];

/** `browser-errors.ts` reports every page here as foreign. */
const FOREIGN = /^foreign: (vincula|vizinho)\.firma\.example$/;

const PATHS = ['/integration', '/api', '/cancel'];

const test = base.extend<{ product: string; siblingSite: string }>({
  product: async ({ production }, use) => {
    const proxy = await startProxy(production.url, newCertificate());
    await use(under('vincula', proxy));
    await proxy.stop();
  },

  siblingSite: async ({}, use) => {
    const server = await serve('127.0.0.1', newCertificate(), ({ url }, response) => {
      if (url === '/') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<title>Sibling site</title>');
      else response.writeHead(204).end();
    });
    await use(under('vizinho', server));
    await server.stop();
  },

  baseURL: async ({ product }, use) => use(product),
});

// The certificate is self-signed.
test.use({ ignoreHTTPSErrors: true });

function under(name: string, { url }: HttpServer): string {
  return `https://${name}.${DOMAIN}:${new URL(url).port}`;
}

/** Visits the sibling site, whose script sets these cookies for the whole domain. */
async function setCookies(page: Page, siblingSite: string, cookies: string[]): Promise<void> {
  await page.goto(siblingSite);
  await page.evaluate(
    ([domain, values]) => values.forEach((cookie) => (document.cookie = `${cookie}; Domain=${domain}; Secure`)),
    [DOMAIN, cookies] as const,
  );
}

test('a session that a sibling site sets under another spelling of our cookie’s name is ignored', async ({
  page,
  request,
  production,
  product,
  siblingSite,
  newClient,
  browserErrors,
}) => {
  browserErrors.expect(FOREIGN);
  const [victim, attacker] = [newClient({ client_name: 'Victim SA' }), newClient({ client_name: 'Attacker Ltda' })];
  const entered = await request.post(`${production.url}/api/validate_token`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { input: { query: `?token=${attacker.token}` } },
  });
  const sealed = /^__Host-vincula=([^;]+)/.exec(entered.headers()['set-cookie'] ?? '')?.[1];
  expect(sealed).toBeDefined();
  await setCookies(
    page,
    siblingSite,
    SPELLINGS.flatMap((name) => PATHS.map((path) => `${name}=${sealed}; Path=${path}`)),
  );
  for (const path of PATHS) {
    const sent = await page.context().cookies(`${product}${path}/x`);
    expect(sent.map(({ name }) => name).sort(), 'the browser sends them to us').toEqual(SPELLINGS.toSorted());
  }

  await page.goto('/integration/widget');
  await expect(page, 'by themselves they are no session').toHaveURL('/error/token-not-found');

  await page.goto(linkOf(victim));
  await expect(page).toHaveURL('/integration/widget');
  await expect(page.getByText('Victim SA').first()).toBeVisible();
  await expect(page.getByText('Attacker Ltda')).toHaveCount(0);
  await giveConsent(page);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Victim SA');
  victim.accounts = ACCOUNTS;
  await page.goto('/cancel/confirm');
  await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
  await expect(page).toHaveURL('/cancel/success');
  expect(victim.callSequence).toEqual(['validate-token', 'authorize-customer', 'cancel-integrations']);
  expect(attacker.callSequence).toEqual(['validate-token']);
});

test('a cookie of a sibling site that is not ASCII locks nobody out', async ({
  page,
  product,
  siblingSite,
  newClient,
  browserErrors,
}) => {
  browserErrors.expect(FOREIGN);
  const client = newClient();
  await setCookies(page, siblingSite, ['nome=José; Path=/', 'emoji=🍞; Path=/integration']);
  const sent = await page.context().cookies(`${product}/integration/widget`);
  expect(sent.map(({ value }) => value).sort(), 'the browser sends them to us').toEqual(['José', '🍞']);
  await page.goto(linkOf(client));
  await giveConsent(page);
  await page.reload();
  await expect(page).toHaveURL('/integration/accounts');
  expect(client.callSequence).toEqual(['validate-token', 'authorize-customer']);
});
