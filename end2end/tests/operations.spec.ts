/** The operator's view: metrics, readiness, the check of the settings, and the other commands. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { demoLink, expect, linkOf, test } from '../fixtures.ts';
import { BINARY, startProduction, startWith } from '../servers.ts';
import { errorResponse } from '../upstream.ts';

const run = promisify(execFile);
const KEY = '00112233445566778899aabbccddeeff'.repeat(4);

/** Runs the program until it exits. */
async function runToExit(parameters: string[], env: Record<string, string>): Promise<{ code: number; output: string }> {
  try {
    const { stdout, stderr } = await run(BINARY, parameters, { env, timeout: 30_000 });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

test('a visit is counted on the metrics address, and a stop is announced before it comes', async ({ page }) => {
  const program = await startWith({ METRICS_ADDR: '127.0.0.1:0', SHUTDOWN_DELAY_SECS: '3' });
  const metrics = `http://${/metrics=(\S+)/.exec(program.output())?.[1]}`;
  await page.goto(`${program.url}${demoLink('demo-contas')}`);
  await expect(page).toHaveURL(/\/integration\/widget$/);

  const text = await (await fetch(`${metrics}/metrics`)).text();
  expect(text).toContain('vincula_journey_steps_total{step="validated"} 1\n');
  expect(text).toContain('vincula_upstream_calls_total{endpoint="validate-token",outcome="ok"} 1\n');
  expect(text).toMatch(/^process_resident_memory_bytes [\d.e+]+$/m);
  expect(text).not.toContain('demo-contas');
  expect((await fetch(`${program.url}/metrics`)).status, 'no metrics on the public address').toBe(404);

  for (const address of [program.url, metrics]) expect((await fetch(`${address}/readyz`)).status).toBe(200);
  const gone = once(program.process, 'exit');
  program.process.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${metrics}/readyz`)).status).toBe(503);
  for (const path of ['/readyz', '/healthz', '/integration/accounts']) {
    const { status } = await fetch(`${program.url}${path}`, { redirect: 'manual', headers: { connection: 'close' } });
    expect(status, `${path} during the shutdown delay`).toBe({ '/readyz': 503, '/healthz': 200 }[path] ?? 303);
  }
  expect(await gone).toEqual([0, null]);
});

/** Items that are under way when the program stops. */
const ITEMS = 15;

/** How the widget API receives them; and whether a further signal ends the wait for it. */
const STOPS = [
  { log: 'hangs', atOnce: false },
  { log: 'hangs', atOnce: true },
  { log: 'resets', atOnce: true },
  { log: 'answers 503', atOnce: true },
] as const;

test('a stop names every item that it could not deliver, and does not end well', async ({ upstream, playwright }) => {
  test.setTimeout(60_000);
  const stop = async ({ log, atOnce }: (typeof STOPS)[number]) => {
    const client = upstream.client();
    if (log === 'hangs') client.hold('log');
    else client.respond('log', log === 'resets' ? 'drop' : errorResponse(503, 'busy'));
    const program = await startProduction(upstream.url);
    const request = await playwright.request.newContext({ baseURL: program.url, extraHTTPHeaders: { origin: program.url } });
    let cookie = '';
    const act = async (action: string, input: Record<string, unknown>) => {
      const response = await request.post(`/api/${action}`, { headers: { cookie }, data: { input } });
      expect(response.status(), await response.text()).toBe(200);
      cookie = /^[^;]+/.exec(response.headers()['set-cookie'] ?? '')?.[0] ?? cookie;
    };
    await act('validate_token', { query: linkOf(client).slice(1) });
    const page = await request.get('/cancel/confirm', { headers: { cookie } });
    const session = /"session":"(\w+)"/.exec(await page.text())?.[1];
    const consent = await (await request.get('/integration/widget', { headers: { cookie } })).text();
    await act('accept_consent', { session, text: /name="text" value="([\w-]+)"/.exec(consent)?.[1] });
    for (let item = 0; item < ITEMS; item += 1) await act('finish_connect', { session, itemId: `item-${item}` });
    await request.dispose();

    const gone = once(program.process, 'close');
    program.process.kill('SIGTERM');
    if (atOnce) {
      await expect.poll(program.output).toContain('stopping');
      program.process.kill('SIGTERM');
    }
    expect(await gone, JSON.stringify({ log, atOnce })).toEqual([1, null]);
    const lines = program.output().split('\n').filter((line) => line.includes('not delivered: name this item'));
    const named = lines.map((line) => /item="?(item-\d+)"?.* request_id="?\w+/.exec(line)?.[1]);
    expect(named.sort()).toEqual(Array.from({ length: ITEMS }, (_, item) => `item-${item}`).sort());
  };
  await Promise.all(STOPS.map(stop));
});

test('the settings are checked without showing secrets', async () => {
  const free = { LISTEN_ADDR: '127.0.0.1:0', METRICS_ADDR: '' };
  const good = await runToExit(['--check-config'], free);
  expect(good.code, good.output).toBe(0);
  const real = { ...free, WIDGET_API_URL: 'http://127.0.0.1:9/', SESSION_KEYS: KEY, TRUSTED_PROXIES: 'none' };
  const bad = await runToExit(['--check-config'], real);
  expect(bad.code, bad.output).toBe(2);
  expect(bad.output).toContain('cannot be reached');
  expect(bad.output).toContain('SESSION_KEYS: 1');
  expect(bad.output).not.toContain('00112233');
  const keyless = { ...free, WIDGET_API_URL: 'http://127.0.0.1:9/' };
  for (const parameters of [['--check-config'], []]) {
    const { code, output } = await runToExit(parameters, keyless);
    expect(code, output).toBe(2);
    expect(output).toContain('openssl rand -hex 64');
  }
});

test('health distinguishes a process that serves from one that has stopped', async () => {
  const program = await startWith({});
  const at = (url: string) => runToExit(['health'], { LISTEN_ADDR: new URL(url).host });
  expect((await at(program.url)).code).toBe(0);
  await program.stop();
  expect((await at(program.url)).code).toBe(1);
});

test('an occupied port is told in one line', async () => {
  const program = await startWith({});
  const settings = { LISTEN_ADDR: new URL(program.url).host, METRICS_ADDR: '', RUST_BACKTRACE: '1', RUST_LOG: 'off' };
  const { code, output } = await runToExit([], settings);
  expect(code, output).toBe(1);
  expect(output.trim()).toMatch(/^Error: .*Address already in use.*$/);
});

test('the widget API of the sandbox also runs on its own', async () => {
  const child = spawn(BINARY, ['sandbox', '--addr', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    let output = '';
    for await (const chunk of child.stdout) {
      output += String(chunk);
      if (output.includes('/sandbox/connect/items')) break;
    }
    const url = /http:\/\/\S+\/widget-api/.exec(output)?.[0];
    const response = await fetch(`${url}/validate-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: 'demo-novo.outros' }),
    });
    const { data } = (await response.json()) as { data: { customer_name: string } };
    expect(data.customer_name).toBe('Contábil Horizonte');
    expect(output).toContain('demo-sem-alteracao');
  } finally {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await gone).toEqual([0, null]);
  }
});
