/** Each firm's sessions show its brand, in a running program with two firms. */
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { demoLink, expect, test } from '../fixtures.ts';
import { type Program, startWith } from '../servers.ts';

const EXAMPLE = fileURLToPath(new URL('../../deploy/brands-example', import.meta.url));

let program: Program;

test.beforeAll(async () => {
  program = await startWith({ BRANDS_DIR: EXAMPLE });
});

test.afterAll(async () => {
  await program?.stop();
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
  // The font is there from the start: what its arrival moves is no firm's.
  await page.goto(`${program.url}/acessibilidade`);
  await page.evaluate(async () => void (await document.fonts.ready));
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
  await expect(page.getByRole('main').getByText('CRC 2SP012345/O-6')).toBeVisible();
  await expect(page.getByRole('link', { name: /^WhatsApp/ })).toHaveCSS('color', 'rgb(0, 0, 0)');
});
