/** The log, and the service while nothing reads its log. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, read, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '../fixtures.ts';
import { BINARY, startWith } from '../servers.ts';

const readSome = promisify(read);

/** More lines than a pipe and the queue hold. */
const REQUESTS = 5_000;
const AT_ONCE = 100;

/** Starts the program with stdout and stderr in one pipe, and stops reading after it has logged its addresses. */
async function startUnread(pipe: number): Promise<{ child: ChildProcess; url: string; metrics: string }> {
  const env = { PATH: process.env.PATH ?? '', LISTEN_ADDR: '127.0.0.1:0', METRICS_ADDR: '127.0.0.1:0' };
  const child = spawn(BINARY, [], { env, stdio: ['ignore', pipe, pipe] });
  const buffer = Buffer.alloc(4096);
  for (let said = ''; ; ) {
    const { bytesRead } = await readSome(pipe, buffer, 0, buffer.length, null);
    said += buffer.toString('utf8', 0, bytesRead).replace(/\x1b\[[0-9;]*m/g, '');
    const [address, metrics] = [/listening address=(\S+)\s/.exec(said)?.[1], /metrics=(\S+)\s/.exec(said)?.[1]];
    if (address && metrics) return { child, url: `http://${address}`, metrics: `http://${metrics}/metrics` };
  }
}

test('a log that nobody reads stops neither the service nor its end, and lost lines are counted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vincula-log-'));
  execFileSync('mkfifo', [join(folder, 'log')]);
  // Open for reading and writing, so that the pipe fills up but is not closed.
  const pipe = openSync(join(folder, 'log'), 'r+');
  const { child, url, metrics } = await startUnread(pipe);
  const gone = once(child, 'exit');
  try {
    const statusOf = async (path: string) => {
      const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(10_000), redirect: 'manual' });
      await response.arrayBuffer();
      return response.status;
    };
    for (let asked = 0; asked < REQUESTS; asked += AT_ONCE) {
      const statuses = await Promise.all(Array.from({ length: AT_ONCE }, () => statusOf('/healthz')));
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
    expect(await statusOf('/?token=demo-novo')).toBe(200);
    expect(await statusOf('/integration/accounts')).toBe(303);

    const text = await (await fetch(metrics)).text();
    const lost = Number(/^vincula_log_lines_lost_total (\d+)$/m.exec(text)?.[1]);
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(REQUESTS);

    child.kill('SIGTERM');
    expect(await gone).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
    await gone;
    closeSync(pipe);
    rmSync(folder, { recursive: true });
  }
});

test('what comes last is written before the end, without colours', async () => {
  for (const LOG_FORMAT of ['text', 'json']) {
    let raw = '';
    const program = await startWith({ LOG_FORMAT });
    program.process.stderr?.on('data', (chunk: Buffer) => {
      raw += chunk.toString();
    });
    await (await fetch(`${program.url}/?token=demo-novo`)).text();
    const closed = once(program.process, 'close');
    await program.stop();
    await closed;
    for (const said of ['request', 'stopping']) expect(raw, LOG_FORMAT).toContain(said);
    expect(raw, LOG_FORMAT).not.toMatch(/[^\n -~]/);
  }
});
