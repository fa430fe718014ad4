/** Each firm's sessions wear its brand, in a running program: two firms at once, and a change without a restart. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { demoLink, expect, test } from '../fixtures.ts';
import { type Program, startWith } from '../servers.ts';

const EXAMPLE = fileURLToPath(new URL('../../deploy/brands-example', import.meta.url));

let folder: string;
let program: Program;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vincula-brands-'));
  await cp(EXAMPLE, folder, { recursive: true });
  program = await startWith({ BRANDS_DIR: folder });
});

test.afterAll(async () => {
  await program?.stop();
  await rm(folder, { recursive: true });
});

/** The primary colour of the page and the browser's bars, as they are in force. */
const colours = (page: Page) =>
  page.evaluate(() => ({
    primary: getComputedStyle(document.documentElement).getPropertyValue('--color-primary'),
    bars: [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].map(({ content }) => content),
  }));

test('two firms in one deployment, from the entry on, and nothing moves @both-sizes', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const { link, firm, light, dark, registration } of [
    { link: 'demo-novo', firm: 'Contábil Horizonte', light: '#5b1a3a', dark: '#44142c', registration: 'CNPJ 11.222.333/0001-81' },
    { link: 'demo-outro-escritorio', firm: 'Bússola Contabilidade', light: '#ffd84d', dark: '#66561f', registration: 'CRC RJ-098765/O-4' },
  ]) {
    await page.goto(program.url + demoLink(link));
    await expect(page.getByRole('heading', { name: `${firm} pede acesso` })).toBeVisible();
    await expect(page.getByText(registration)).toBeVisible();
    const logo = page.locator('.brand__logo').first();
    await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    expect(await colours(page)).toEqual({ primary: light, bars: [light, dark] });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect((await colours(page)).primary).toBe(dark);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
    await page.goto(`${program.url}/error/token-invalid`);
    await expect(page.getByRole('link', { name: /^WhatsApp \(\d\d\) 9/ })).toHaveAttribute('href', /^https:\/\/wa\.me\/55\d{11}$/);
  }
});

test('on paper the receipt has the firm’s logo, and its numbers in black', async ({ page }) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.goto(`${program.url}/sandbox/screens/brand-receipt`);
  await expect(page.locator('.brand__logo').first()).toBeVisible();
  await expect(page.getByText('CRC 2SP012345/O-6')).toBeVisible();
  await expect(page.getByRole('link', { name: /^WhatsApp/ })).toHaveCSS('color', 'rgb(0, 0, 0)');
});

test('brands change on SIGHUP, and no request fails', async ({ page }) => {
  await page.goto(program.url + demoLink('demo-novo'));
  await expect(page.getByRole('heading', { name: 'Contábil Horizonte pede acesso' })).toBeVisible();
  const before = await page.locator('.brand__logo').first().getAttribute('src');
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const statuses = new Map<number, number>();
  let goesOn = true;
  const visit = async () => {
    while (goesOn) {
      const response = await fetch(`${program.url}/integration/widget`, { headers: { cookie }, redirect: 'manual' });
      await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  };
  const visitors = Array.from({ length: 4 }, visit);
  for (const primary of ['#123456', '#0b5563', '#7a0019']) {
    await writeFile(join(folder, '4217/brand.json'), JSON.stringify({ primary }));
    const read = program.output().split('brands read').length;
    program.process.kill('SIGHUP');
    await expect.poll(() => program.output().split('brands read').length).toBe(read + 1);
    await page.reload();
    expect((await colours(page)).primary).toBe(primary);
  }
  await writeFile(join(folder, '4217/brand.json'), '{ "primary": "#1f6fb2" }');
  await writeFile(join(folder, '4217/logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><title>Novo</title></svg>');
  program.process.kill('SIGHUP');
  await expect.poll(() => program.output()).toContain('primary is #1f6fb2, which does not contrast enough');
  await page.reload();
  expect((await colours(page)).primary, 'the old one stays').toBe('#7a0019');
  expect((await page.request.get(program.url + before)).status(), 'pages from before show the old logo').toBe(200);
  goesOn = false;
  await Promise.all(visitors);
  expect([...statuses.keys()]).toEqual([200]);
  expect(statuses.get(200)).toBeGreaterThan(20);
  expect(program.output()).not.toContain('Padaria');
});
