/** Starts the shipped product with its sandbox, and opens its screens. For measurements in one browser. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../end2end/chromium.mjs';

const PRODUCT = process.env.PRODUCT ?? fileURLToPath(new URL('../dist', import.meta.url));
const PATIENCE_MS = 15_000;

export const { chromium } = createRequire(new URL('../end2end/package.json', import.meta.url))('playwright-core');

export const BROWSER = {
  executablePath: await findChromium(),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

/** Starts it on a free port of loopback; returns its URL, and a function that stops it. */
export async function startSandbox() {
  const child = spawn(`${PRODUCT}/vincula`, [], {
    env: { PATH: process.env.PATH, LISTEN_ADDR: '127.0.0.1:0', METRICS_ADDR: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let written = '';
  const url = await new Promise((done, failed) => {
    const timer = setTimeout(() => failed(new Error(`the product does not listen:\n${written}`)), PATIENCE_MS);
    const hear = (chunk) => {
      written += chunk.toString().replace(/\x1b\[[0-9;]*m/g, '');
      const said = /listening address=(\S+)/.exec(written)?.[1];
      if (!said) return;
      clearTimeout(timer);
      done(`http://${said}`);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('error', failed);
  });
  return { url, stop: () => child.kill('SIGTERM') };
}

const copies = { next: 0 };
/** A fresh copy of a link of the sandbox. */
export const linkOf = (name) => `/?token=${name}.bench${(copies.next += 1)}${name === 'demo-retorno' ? '&of-success' : ''}`;

const alive = (page) => page.locator('body[data-islands="alive"]:not([data-page="entry"])').waitFor();

/** Opens a link of the sandbox and waits until its first step is hydrated. */
export async function open(page, url, name) {
  await page.goto(url + linkOf(name));
  await alive(page);
}

export async function consent(page) {
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: /^Autorizar/ }).click();
  await page.waitForURL('**/integration/accounts');
  await alive(page);
}

export async function toBankForm(page) {
  await page.getByRole('link', { name: 'Integrar novo banco' }).click();
  await page.waitForURL('**/integration/select-bank');
  await alive(page);
}

export async function fillBankForm(page) {
  await page.getByRole('combobox').fill('Nu Pagamentos');
  await page.getByRole('option').first().click();
  await page.getByLabel('Nome completo do administrador').fill('Bia Lima');
  await page.getByLabel('CPF do administrador').fill('111.444.777-35');
}

export async function cancelAll(page) {
  await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
  await page.waitForURL('**/cancel/success');
}

/**
 * Every screen, with the way to open it in a fresh session. `failing`: it shows an intended error, which the browser
 * also logs to the console; `foreign`: third-party code runs on it, which uses deprecated browser features.
 */
export const SCREENS = [
  { name: 'link without an answer', failing: true, go: (page, url) => page.goto(url + linkOf('demo-sem-resposta')) },
  { name: 'consent', go: (page, url) => open(page, url, 'demo-novo') },
  {
    name: 'accounts',
    go: async (page, url) => {
      await open(page, url, 'demo-contas');
      await consent(page);
    },
  },
  {
    name: 'bank form',
    go: async (page, url) => {
      await open(page, url, 'demo-novo');
      await consent(page);
      await toBankForm(page);
    },
  },
  { name: 'Connect (update)', foreign: true, go: (page, url) => open(page, url, 'demo-atualizar') },
  { name: 'success', go: (page, url) => open(page, url, 'demo-retorno') },
  { name: 'cancel: question', go: (page, url) => open(page, url, 'demo-cancelar') },
  {
    name: 'cancel: done',
    go: async (page, url) => {
      await open(page, url, 'demo-cancelar');
      await cancelAll(page);
    },
  },
  ...[
    'token-not-found',
    'token-not-exists',
    'token-expired',
    'token-invalid',
    'link-not-exists',
    'link-not-updated',
  ].map((slug) => ({ name: `error: ${slug}`, go: (page, url) => page.goto(`${url}/error/${slug}`) })),
  { name: 'page not found', failing: true, go: (page, url) => page.goto(`${url}/nowhere`) },
  { name: 'accessibility statement', go: (page, url) => page.goto(`${url}/acessibilidade`) },
];
