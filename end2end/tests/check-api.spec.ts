/** `vincula check-api` as it is shipped, and the example of a widget API that README leads to. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ExampleApi, startExampleApi } from '../example-api.ts';
import { expect, linkOf, test as base } from '../fixtures.ts';
import { giveConsent } from '../journey-steps.ts';
import { BINARY, type Program, startProduction } from '../servers.ts';

/** Runs the command with tokens in the environment, as the guide recommends. */
async function checkApi(
  url: string,
  tokens: Record<string, string>,
  ...options: string[]
): Promise<{ code: number | null; output: string }> {
  const env = { PATH: process.env.PATH ?? '', ...tokens };
  const child = execFile(BINARY, ['check-api', url, ...options], { env });
  let output = '';
  child.stdout?.on('data', (chunk: string) => (output += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

const test = base.extend<object, { api: ExampleApi; program: Program }>({
  api: [
    async ({}, use) => {
      const api = await startExampleApi();
      await use(api);
      await api.stop();
    },
    { scope: 'worker' },
  ],
  program: [
    async ({ api }, use) => {
      const program = await startProduction(api.url, { RUST_LOG: 'info,vincula_upstream=debug' });
      await use(program);
      await program.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ program }, use) => {
    await use(program.url);
  },
});

base('the sandbox passes with exit code 0, and an API that is none fails with 1', async () => {
  const sandbox = spawn(BINARY, ['sandbox', '--addr', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    let said = '';
    sandbox.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    while (!/widget-api\n/.test(said)) await once(sandbox.stdout, 'data');
    const url = /http:\/\/\S+\/widget-api/.exec(said)?.[0] ?? '';
    const tokens = { CHECK_API_TOKEN: 'demo-atualizar.check', CHECK_API_CANCEL_TOKEN: 'demo-cancelar.check' };

    const good = await checkApi(url, tokens, '--write');
    expect(good.output).toMatch(/\n[5-9]\d ok, 0 warnings, 0 failures, \d+ not tried\n/);
    expect(good.output).not.toMatch(/^ {2}[!✗]/m);
    expect(good.code).toBe(0);

    const bad = await checkApi(url.replace('/widget-api', '/elsewhere'), tokens);
    expect(bad.output).toMatch(/✗ refused +the link's token +HTTP 404.* unknown token/);
    expect(bad.output).toMatch(/\d+ failures, \d+ not tried\n/);
    expect(bad.output).not.toContain('demo-');
    expect(bad.code).toBe(1);

    expect((await checkApi(url, {})).code).toBe(2);
  } finally {
    const gone = once(sandbox, 'exit');
    sandbox.kill('SIGTERM');
    await gone;
  }
});

base('the example API has neither failures nor warnings', async () => {
  const api = await startExampleApi();
  try {
    const tokens = {
      CHECK_API_TOKEN: api.tokens.update,
      CHECK_API_EXPIRED_TOKEN: api.tokens.expired,
      CHECK_API_CANCEL_TOKEN: api.tokens.cancel,
    };
    const { code, output } = await checkApi(api.url, tokens, '--write');
    expect(output).toMatch(/\n\d+ ok, 0 warnings, 0 failures, 0 not tried\n/);
    expect(output).not.toMatch(/^ {2}[!✗-]/m);
    expect(code).toBe(0);
  } finally {
    await api.stop();
  }
});

base('the example API lists what waits, and refuses a link once everything is cancelled', async ({ request }) => {
  const api = await startExampleApi();
  try {
    const call = async (verb: string, data?: object) => {
      const [method = '', path = ''] = verb.split(' ');
      const headers = { authorization: `Bearer ${api.tokens.new}` };
      const answer = await request.fetch(`${api.url}/${path}`, { method, headers, data });
      const body = (await answer.json()) as { data: Record<string, unknown>; meta: { message: string } };
      return { status: answer.status(), data: body.data, message: body.meta.message };
    };
    const log = (type: string, data: object) => call('POST log', { type, status: 'SUCCESS', data_log: JSON.stringify(data) });
    const rows = async () => (await call('GET list-accounts')).data;
    const row = { bank: 'Banco do Brasil', agency: '', number: '', name: 'Padaria Exemplo Ltda' };

    await log('pluggy-widget-error', { message: 'INVALID_CREDENTIALS', item: { id: 'refused' } });
    expect(await rows()).toEqual([]);
    await log('pluggy-widget-error', { message: 'USER_AUTHORIZATION_PENDING', item: { id: 'first' } });
    const approve_by = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(await rows()).toEqual([{ ...row, status: 'awaiting_approval', approve_by }]);
    await log('pluggy-widget-success', { item: { id: 'first' } });
    expect(await rows()).toEqual([{ ...row, status: 'confirming' }]);
    await expect.poll(rows).toEqual([{ ...row, agency: '0001', number: '000001-0' }]);

    const session = (await call('POST validate-token', { token: api.tokens.new })).data;
    const cancel = () => call('POST cancel-integrations', { cpfcnpj: session.client_cpfcnpj });
    expect([(await cancel()).status, (await cancel()).status]).toEqual([200, 200]);
    expect((await log('pluggy-widget-success', { item: { id: 'late' } })).status).toBe(200);
    expect(await rows()).toEqual([]);
    for (const refused of [
      await call('POST authorize-customer', { customer_id: session.customer_id }),
      await call('GET list-banks'),
      await call('POST connect-token', { link_id: null, client_uuid: session.client_uuid }),
      await call('POST success', { token: api.tokens.new }),
    ]) {
      expect(refused).toEqual({ status: 403, data: null, message: 'Integrations cancelled' });
    }
    expect((await call('POST validate-token', { token: api.tokens.new })).status).toBe(200);
  } finally {
    await api.stop();
  }
});

test('the example API serves the way from the link to the banks, and the log tells of each call', async ({
  page,
  api,
  program,
}) => {
  await page.goto(linkOf(api.tokens.new));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Contábil Exemplo');
  await giveConsent(page);
  await page.getByRole('link', { name: 'Integrar novo banco' }).click();
  await expect(page.getByRole('combobox')).toBeEditable();
  await page.getByRole('combobox').click();
  await expect(page.getByRole('option')).toHaveCount(2);

  const line = /DEBUG .*method=POST path="authorize-customer" status=200 outcome="ok" ms=\d+ bytes=\d+ request_id="(\w+)"/;
  const [, support] = line.exec(program.output()) ?? [];
  expect(api.output()).toContain(`POST /authorize-customer 200 ${support}\n`);
  for (const secret of [api.tokens.new, 'Padaria Exemplo', '12.345.678']) expect(program.output()).not.toContain(secret);
});
