/** Starts one browser of an engine, driven by WebDriver. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Builder, Capabilities, type WebDriver } from 'selenium-webdriver';
import { findFirefox, findWebKit, type Missing } from './installed.ts';

export type Engine = 'webkit' | 'firefox';

type Browser = { driver: WebDriver; stop: () => Promise<void> };

/** The limit for a driver to start listening. */
const PATIENCE_MS = 15_000;

const PHONE = { width: 400, height: 860 };

export async function startBrowser(engine: Engine): Promise<Browser> {
  // Uses no profile of the user, and leaves nothing behind.
  const home = await mkdtemp(join(tmpdir(), 'vincula-engine-'));
  const started: ChildProcess[] = [];
  const forget = () => started.forEach((child) => signal(child, 'SIGKILL'));
  process.once('exit', forget);
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', TZ: 'America/Sao_Paulo', HOME: home, TMPDIR: home };
  const stop = async () => {
    // Stops the display last.
    for (const child of started.reverse()) await end(child);
    process.removeListener('exit', forget);
    await rm(home, { recursive: true, force: true });
  };
  try {
    const driver = await (engine === 'webkit' ? webkit : firefox)(env, started);
    await driver.manage().setTimeouts({ pageLoad: 30_000, script: 30_000 });
    return {
      driver,
      stop: async () => {
        await driver.quit();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * At a phone's size, as iPhones have Safari. Without a window manager the pointer, in the middle of the display, sets
 * the focus: the window fills the display to get it.
 */
async function webkit(env: NodeJS.ProcessEnv, started: ChildProcess[]): Promise<WebDriver> {
  const found = complete(findWebKit());
  const display = spawn(found.display, ['-displayfd', '3', '-screen', '0', `${PHONE.width}x${PHONE.height}x24`, '-nolisten', 'tcp'], {
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  });
  started.push(display);
  const number = await new Promise<string>((resolve, reject) => {
    display.once('error', reject);
    display.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    display.stdio[3]?.once('data', (said: Buffer) => resolve(said.toString().trim()));
  });
  const settings = {
    DISPLAY: `:${number}`,
    GDK_BACKEND: 'x11',
    // WebKit's sandbox needs more privileges than a container has. All pages are ours.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  };
  const url = await listening(found.driver, (port) => [`--port=${port}`], { ...env, ...settings }, started);
  const driver = await session(url, {
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: found.browser, args: ['--automation'] },
  });
  await driver.manage().window().setRect({ x: 0, y: 0, ...PHONE });
  return driver;
}

async function firefox(env: NodeJS.ProcessEnv, started: ChildProcess[]): Promise<WebDriver> {
  const found = complete(findFirefox());
  const url = await listening(found.driver, (port) => ['--port', `${port}`], env, started);
  return session(url, {
    browserName: 'firefox',
    'moz:firefoxOptions': {
      binary: found.browser,
      args: ['-headless', '-width', '1440', '-height', '900'],
      prefs: { 'intl.accept_languages': 'pt-BR', 'ui.prefersReducedMotion': 1 },
    },
  });
}

function complete<T extends object>(found: T | Missing): T {
  if ('missing' in found) throw new Error(`${found.missing} is missing: make setup-tests installs it`);
  return found;
}

function session(url: string, capabilities: object): Promise<WebDriver> {
  const wanted = new Capabilities({ ...capabilities, acceptInsecureCerts: true });
  return new Builder().usingServer(url).withCapabilities(wanted).build();
}

/** Starts a driver and waits until it accepts sessions. */
async function listening(
  program: string,
  args: (port: number) => string[],
  env: NodeJS.ProcessEnv,
  started: ChildProcess[],
): Promise<string> {
  const port = await freePort();
  const child = spawn(program, args(port), { env, stdio: 'ignore', detached: true });
  started.push(child);
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
  });
  ended.catch(() => {});
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const status = await Promise.race([fetch(`${url}/status`).catch(() => undefined), ended]);
    if (status?.ok) return url;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${program} does not listen`);
}

/** Neither driver reports a port that it picks itself. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    signal(child, 'SIGTERM');
  });
}

/** Signals the process group: a killed driver leaves its browser running. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // The group has exited.
  }
}
