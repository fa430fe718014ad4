/**
 * The headers of every response of a whole journey: Google's CSP Evaluator checks the content policies, the rules of
 * Mozilla's HTTP Observatory the rest.
 */
import type { Page } from '@playwright/test';
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { type Finding, Severity } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import { ACCOUNTS } from '../client.ts';
import { expect, linkOf, test } from '../fixtures.ts';
import { goToConnect, waitForHydration } from '../journey-steps.ts';

test.use({ withConnect: true });

type Received = { status: number; headers: Record<string, string> };

/** The one accepted finding: 'self' is a risk if users can upload scripts, which they cannot. */
const KNOWN = ["'self' can be problematic if you host JSONP, AngularJS or user uploaded files."];

const HALF_A_YEAR_SECS = 15_768_000;

/** Records the responses of our own server, by method and path. */
function recordResponses(page: Page, ours: string): Map<string, Received> {
  const responses = new Map<string, Received>();
  page.on('response', (response) => {
    const url = new URL(response.url());
    if (url.origin !== ours) return;
    responses.set(`${response.request().method()} ${url.pathname}`, { status: response.status(), headers: response.headers() });
  });
  return responses;
}

/** Opens every screen, and the URLs that need no session. */
async function seeEverything(page: Page, start: { company: string; update: string; cancel: string }): Promise<void> {
  for (const path of ['/', '/error/token-expired', '/acessibilidade', '/robots.txt', '/healthz', '/nothing']) {
    await page.goto(path);
  }
  for (const path of ['/integration/select-bank', '/integration/accounts', '/integration/success', '/cancel/success']) {
    await page.goto(path);
  }
  await page.goto(start.company);
  await expect(page).toHaveURL('/integration/success');
  await waitForHydration(page);
  await page.evaluate(async () => {
    await fetch('/api/nothing', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  });
  for (const link of [start.update, start.cancel]) {
    await page.goto(link);
    await waitForHydration(page);
  }
  await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
  await expect(page).toHaveURL('/cancel/success');
}

test('no policy has a weakness, and every response has the required headers', async ({
  page,
  newClient,
  baseURL,
  browserErrors,
}) => {
  browserErrors.expect(/status of 40[04]/);
  const responses = recordResponses(page, baseURL ?? '');
  await goToConnect(page, newClient());
  const update = newClient({ widget_type: 'update' });
  const cancel = newClient({ widget_type: 'cancel' });
  cancel.accounts = ACCOUNTS;
  await seeEverything(page, {
    company: linkOf(newClient(), '&of-success'),
    update: linkOf(update),
    cancel: linkOf(cancel),
  });
  expect([...responses.keys()]).toEqual(
    expect.arrayContaining(
      [
        'GET /',
        'GET /error/token-expired',
        'GET /acessibilidade',
        'GET /nothing',
        'GET /robots.txt',
        'GET /healthz',
        'POST /api/nothing',
        'GET /integration/widget',
        'GET /integration/accounts',
        'GET /integration/select-bank',
        'GET /integration/update',
        'GET /integration/success',
        'GET /cancel/confirm',
        'GET /cancel/success',
        'POST /api/validate_token',
        'POST /api/accept_consent',
        'POST /api/save_bank_form',
      ].map((name) => expect.stringContaining(name)),
    ),
  );
  expect([...responses.keys()].filter((name) => /\.(js|wasm|css|woff2)$/.test(name)).length).toBeGreaterThan(6);
  const violations = [...responses].flatMap(([name, response]) => violationsOf(response).map((one) => `${name}: ${one}`));
  expect(violations).toEqual([]);
});

function violationsOf({ status, headers }: Received): string[] {
  const violations: string[] = [];
  const check = (holds: boolean, what: string): void => {
    if (!holds) violations.push(what);
  };
  const policy = headers['content-security-policy'] ?? '';
  check(policy !== '', 'no content policy');
  for (const { severity, directive, description } of findings(policy)) {
    check(severity > Severity.MEDIUM && KNOWN.includes(description), `${directive}: ${description}`);
  }
  check(policy.includes("default-src 'none'"), 'sources that are not named are allowed');
  check(!/unsafe-(inline|eval|hashes)/.test(policy.replaceAll("'wasm-unsafe-eval'", '')), 'allows something unsafe');
  check(/frame-ancestors 'none'/.test(policy) && headers['x-frame-options'] === 'DENY', 'may be framed');
  const lifetime = Number(/max-age=(\d+)/.exec(headers['strict-transport-security'] ?? '')?.[1]);
  check(lifetime >= HALF_A_YEAR_SECS, 'HSTS');
  check(headers['x-content-type-options'] === 'nosniff', 'nosniff');
  check(['no-referrer', 'same-origin'].includes(headers['referrer-policy'] ?? ''), 'referrer policy');
  check(headers['cross-origin-resource-policy'] === 'same-origin', 'resource policy');
  check(/^same-origin/.test(headers['cross-origin-opener-policy'] ?? ''), 'opener policy');
  check(headers['access-control-allow-origin'] === undefined, 'other origins may read it');
  check(headers.server === undefined && headers['x-powered-by'] === undefined, 'names its software');
  const empty = headers['content-length'] === '0' || status === 204 || (status >= 300 && status < 400);
  check(empty || headers['content-type'] !== undefined, 'no content type');
  const cookie = headers['set-cookie'];
  if (cookie !== undefined) {
    for (const mark of ['__Host-', 'Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']) {
      check(cookie.includes(mark), `cookie without ${mark}`);
    }
  }
  return violations;
}

function findings(policy: string): Finding[] {
  return new CspEvaluator(new CspParser(policy).csp).evaluate();
}

/** With an evaluator that finds nothing the test above would always pass. */
test('the evaluator sees a weak policy', () => {
  const severe = (policy: string) => findings(policy).some(({ severity }) => severity <= Severity.MEDIUM);
  expect(severe("script-src 'unsafe-inline'; object-src 'none'; base-uri 'none'")).toBe(true);
  expect(severe("default-src 'none'; script-src https://www.google.com; base-uri 'none'")).toBe(true);
  expect(severe("default-src 'none'; script-src 'nonce-rAnd0mEnough'; base-uri 'none'")).toBe(false);
});
