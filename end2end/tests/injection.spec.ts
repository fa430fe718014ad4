/**
 * Markup in every text of the widget API, on every screen that shows one: the browser runs no script of it, creates no
 * element from it, and the screen does not overflow. `make check` tries some of the texts, chosen by a seed, and
 * `make attack` all of them (`crates/faulty/src/sample.rs` likewise).
 */
import type { Page } from '@playwright/test';
import type { Client, SessionData } from '../client.ts';
import { expect, linkOf, SCRIPT_LEFT_OUT, test } from '../fixtures.ts';
import { CONSENT, giveConsent, waitForHydration } from '../journey-steps.ts';
import { errorResponse } from '../upstream.ts';

/** The function that the markup would call. */
const CALLED = 'ev1l';

const MARKUP = [
  '<script>ev1l()</script>',
  '</script><script>ev1l()</script><!--',
  '"><img src=x onerror=ev1l()>',
  "' onmouseover='ev1l()' autofocus onfocus='ev1l()",
  '</title><svg onload=ev1l()>',
  '--><script>ev1l()</script><!-- <!--<script>',
  'javascript:ev1l()',
  '{{session}}{{customerName}}${ev1l()}<%= ev1l() %>',
  "</textarea></style></noscript></template><iframe srcdoc='<script>parent.ev1l()</script>'>",
  '&lt;img src=x onerror=ev1l()&gt;&#60;script&#62;ev1l()&#60;/script&#62;',
  '\u202e\u2066<\u2028script>ev1l()\u2029</\ufeffscript>',
  'a\r\nset-cookie: ev1l=1\r\n\r\n<b onclick=ev1l()>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=ev1l()&gt;">',
  ']]></p><base href=//ev1l.example><meta http-equiv=refresh content="0;url=//ev1l.example">',
  '<template shadowrootmode=open><slot onslotchange=ev1l()></slot></template><x-y is=ev1l>',
  '\\u003cscript\\u003eev1l()\\x3c/script\\x3e`+ev1l()+`',
  'W'.repeat(80),
];

/** The text of the screens to compare with. */
const PLAIN = 'texto';

/** Texts per run, except in `make attack`. */
const TRIED = 3;

const SEED = Number(process.env.ATTACK_SEED ?? 15);

function tried(): string[] {
  if (process.env.ATTACK === 'all') return MARKUP;
  // A step that is coprime to their number meets each of them once.
  return Array.from({ length: TRIED }, (_, at) => MARKUP[(SEED + 7 * at) % MARKUP.length] ?? '');
}

/** Counts of a page's elements by name and attributes, with the values of attributes that load or navigate. */
type Built = Record<string, number>;

function built(page: Page): Promise<Built> {
  return page.evaluate(() => {
    const count: Record<string, number> = {};
    const leads = ['src', 'srcset', 'action', 'formaction', 'srcdoc', 'http-equiv'];
    for (const element of document.querySelectorAll('body *, head base, head meta, head script, title *')) {
      const attributes = element.getAttributeNames().filter((name) => !name.startsWith('data-') && name !== 'style');
      const values = attributes.map((name) => {
        const isSettled = name === 'href' ? element.closest('svg') === null : leads.includes(name);
        return isSettled ? `${name}=${element.getAttribute(name)}` : name;
      });
      const key = `${element.localName} ${values.sort().join(' ')}`;
      count[key] = (count[key] ?? 0) + 1;
    }
    return count;
  });
}

/** Records the elements of the screen, which must be one of ours and no wider than the viewport. */
async function look(page: Page, name: string): Promise<Screen> {
  expect(new URL(page.url()).hostname, name).toBe('127.0.0.1');
  await page.waitForLoadState();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `${name}: width`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  return { name, built: await built(page) };
}

type NewClient = (data?: Partial<SessionData>) => Client;

/** A client with this text in all fields. */
function clientOf(newClient: NewClient, text: string): Client {
  const client = newClient({
    client_name: text,
    customer_name: text,
    widget_account_admin_name: `${text} `,
    widget_account_admin_cpfcnpj: text,
    widget_account_bank: text,
    client_uuid: text,
  });
  client.accounts = [{ bank: text, agency: text, number: text, name: text }];
  client.respond('list-banks', { json: { data: [{ code: '001', name: text }], meta: { status: 200, message: text } } });
  return client;
}

type Screen = { name: string; built: Built };

/** Records every screen of this client. */
async function walk(page: Page, client: Client): Promise<Screen[]> {
  const screens: Screen[] = [];
  const go = async (path: string) => {
    await page.goto(path);
    await waitForHydration(page);
  };
  await page.goto(linkOf(client));
  await waitForHydration(page);
  screens.push(await look(page, 'consent'));
  await giveConsent(page);
  await expect(page.locator('.accounts__row')).toBeVisible();
  await waitForHydration(page);
  screens.push(await look(page, 'accounts'));
  await go('/integration/accounts?listar=1');
  screens.push(await look(page, 'accounts, listed'));
  await go('/integration/select-bank');
  await expect(page.getByRole('combobox')).toBeEditable();
  await page.getByRole('combobox').press('ArrowDown');
  await expect(page.getByRole('option').first()).toBeVisible();
  screens.push(await look(page, 'bank form'));
  await go('/cancel/confirm');
  await expect(page.locator('.accounts__row')).toBeVisible();
  screens.push(await look(page, 'cancellation'));
  await page.goto(linkOf(client, '&of-success'));
  await expect(page).toHaveURL('/integration/success');
  await waitForHydration(page);
  screens.push(await look(page, 'success'));
  client.respond('validate-token', errorResponse(401, `Expired token ${client.data.client_name}`));
  await page.goto(linkOf(client));
  await expect(page).toHaveURL(/\/error\/token-invalid/);
  screens.push(await look(page, 'error'));
  return screens;
}

/** The same without JavaScript. */
async function walkByForms(page: Page, client: Client): Promise<Screen[]> {
  const screens: Screen[] = [];
  await page.goto(linkOf(client));
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page).toHaveURL('/integration/widget?validado=1');
  screens.push(await look(page, 'consent'));
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page).toHaveURL(/\/integration\/accounts/);
  screens.push(await look(page, 'accounts'));
  for (const path of ['/integration/accounts?listar=1', '/integration/select-bank', '/cancel/confirm?listar=1']) {
    await page.goto(path);
    screens.push(await look(page, path));
  }
  await page.goto(linkOf(client, '&of-success'));
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page).toHaveURL(/\/integration\/success/);
  screens.push(await look(page, 'success'));
  return screens;
}

async function staysText(page: Page, newClient: NewClient, text: string, go: typeof walk): Promise<void> {
  // Console errors fail the test: see `browser-errors.ts`.
  await page.addInitScript((name) => {
    Object.assign(window, { [name]: () => console.error('markup of the widget API has run') });
  }, CALLED);
  const plain = await go(page, clientOf(newClient, PLAIN));
  await page.context().clearCookies();
  const marked = await go(page, clientOf(newClient, text));
  expect(marked).toEqual(plain);
  test.info().annotations.push({ type: 'screens', description: String(marked.length) });
}

for (const text of tried()) {
  test(`nothing runs and nothing is built: ${JSON.stringify(text)}`, async ({ page, newClient, browserErrors }) => {
    browserErrors.expect(/status of 502 .*validate_token/);
    await staysText(page, newClient, text, walk);
  });

  test.describe(() => {
    test.use({ javaScriptEnabled: false });

    test(`nothing is built without scripts: ${JSON.stringify(text)}`, async ({ page, newClient, browserErrors }) => {
      browserErrors.expect(SCRIPT_LEFT_OUT);
      await staysText(page, newClient, text, walkByForms);
    });
  });
}

/** Shows that the tests above can fail. */
test('the elements that markup creates are found', async ({ page }) => {
  await page.setContent(`<title>a</title><p>${PLAIN}</p>`);
  const plain = await built(page);
  for (const text of ['<b>x</b>', '<p onclick=ev1l()>', '</p><base href=//ev1l.example>']) {
    await page.setContent(`<title>a</title><p>${text}</p>`);
    expect(await built(page), text).not.toEqual(plain);
  }
});
