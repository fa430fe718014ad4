/** Starts the program under test as it is shipped: one child process, configured by its environment only. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

export const BINARY = process.env.VINCULA_BIN ?? fileURLToPath(new URL('../dist/vincula', import.meta.url));

/** The limit for the program to start listening, and to stop. */
const PATIENCE_MS = 15_000;

export type Program = {
  url: string;
  pid: number;
  /** The running process. */
  process: ChildProcess;
  /** Its output so far, without colours. */
  output: () => string;
  stop: () => Promise<void>;
  /** Kills it without a shutdown, as if its machine failed. */
  kill: () => Promise<void>;
};

/** The program on its embedded sandbox. */
export const startSandbox = (): Promise<Program> => start({});

/** The program on its embedded sandbox with further settings. */
export const startWith = (settings: Record<string, string>): Promise<Program> => start(settings);

/**
 * The program with this widget API; all other settings keep their defaults. The clients of all tests belong to one
 * firm, so the bank list is not cached: no test may get another's.
 */
export const startProduction = (widgetApiUrl: string, further: Record<string, string> = {}): Promise<Program> =>
  start({ WIDGET_API_URL: widgetApiUrl, SESSION_KEYS: newKey(), TRUSTED_PROXIES: 'none', BANK_LIST_TTL_SECS: '0', ...further });

/** A key of the session cookie. */
export const newKey = (): string => randomBytes(64).toString('hex');

async function start(settings: Record<string, string>): Promise<Program> {
  const child = spawn(BINARY, [], {
    // Port 0: the system assigns a free one, and the program logs it.
    // Several run at the same time, so none has a fixed address for metrics.
    env: { PATH: process.env.PATH ?? '', LISTEN_ADDR: '127.0.0.1:0', METRICS_ADDR: '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killChild = () => child.kill('SIGKILL');
  process.once('exit', killChild);
  const written: string[] = [];
  const output = () => written.join('').replace(/\x1b\[[0-9;]*m/g, '');
  const address = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${BINARY} does not listen:\n${output()}`)), PATIENCE_MS);
    const read = (chunk: Buffer) => {
      written.push(chunk.toString());
      const said = /listening(?: address=|","address":")([\d.:]+)/.exec(output());
      if (said?.[1] === undefined) return;
      clearTimeout(timer);
      resolve(said[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${BINARY} ended with ${code}:\n${output()}`)));
  }).catch((error: unknown) => {
    killChild();
    throw error;
  });
  const stop = async () => {
    await end(child);
    process.removeListener('exit', killChild);
  };
  const kill = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    process.removeListener('exit', killChild);
  };
  return { url: `http://${address}`, pid: child.pid ?? 0, process: child, output, stop, kill };
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
