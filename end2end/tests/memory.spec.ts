/** The memory that endless responses of the widget API may cost. */
import { readFileSync } from 'node:fs';
import { expect, linkOf, test } from '../fixtures.ts';
import { startProduction } from '../servers.ts';

/** Concurrent ones. */
const FLOODS = 24;

/** The program reads 512 kB of a list, into a buffer that doubles as it grows; plus the connection's buffers. */
const MAX_BYTES_EACH = 4e6;

const peak = (pid: number): number =>
  1024 * Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

test('floods cost a few megabytes each, and others are served meanwhile', async ({ upstream, newClient, playwright }) => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  const program = await startProduction(upstream.url);
  const person = () => playwright.request.newContext({ baseURL: program.url, extraHTTPHeaders: { origin: program.url } });
  /** Opens a client's link, and reads the session's id from a page. */
  const enter = async (client: ReturnType<typeof newClient>) => {
    const request = await person();
    const query = linkOf(client).slice(1);
    const entered = await request.post('/api/validate_token', { data: { input: { query } } });
    // Only browsers send Secure cookies over HTTP to loopback; this client needs a header.
    const cookie = /^[^;]+/.exec(entered.headers()['set-cookie'] ?? '')?.[0] ?? '';
    const page = await request.get('/cancel/confirm', { headers: { cookie } });
    const session = /"session":"(\w+)"/.exec(await page.text())?.[1];
    expect(session).toBeDefined();
    const list = () => request.post('/api/list_accounts', { headers: { cookie }, data: { input: { session } } });
    return { list, leave: () => request.dispose() };
  };
  try {
    const flooded = await Promise.all(
      Array.from({ length: FLOODS }, () => enter(newClient().respond('list-accounts', 'flood'))),
    );
    const bystander = await enter(newClient());
    expect((await bystander.list()).status()).toBe(200);
    const before = peak(program.pid);
    const [others, ...victims] = await Promise.all([bystander.list(), ...flooded.map(({ list }) => list())]);
    expect(victims.map((response) => response.status())).toEqual(victims.map(() => 502));
    expect(others?.status()).toBe(200);
    const cost = (peak(program.pid) - before) / FLOODS;
    console.log(`a flood costs ${(cost / 1e6).toFixed(1)} MB`);
    expect(cost).toBeLessThan(MAX_BYTES_EACH);
    await Promise.all([bystander, ...flooded].map(({ leave }) => leave()));
  } finally {
    await program.stop();
  }
});
