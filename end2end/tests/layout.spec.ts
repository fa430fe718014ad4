/** Colours, sizes, fonts, brands and motion that single screens have; what holds on all of them: `gallery.spec.ts`. */
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { demoLink, expect, linkOf, test } from '../support/fixtures.ts';
import { startSandbox } from '../support/servers.ts';
import { arriveAtAccounts, arriveAtConnect, arriveAtUpdate, waitForHydration } from '../support/steps.ts';

const BRANDS_DIR = fileURLToPath(new URL('../../deploy/brands-example', import.meta.url));

const background = (page: Page, of: string) =>
  page.locator(of).evaluate((element) => getComputedStyle(element).backgroundColor);

test('the widget and update routes lie on the primary colour, set in Inter', async ({ page, newClient }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/error/token-expired');
  expect(await page.locator('body').evaluate((body) => getComputedStyle(body).fontFamily)).toMatch(/^"?Inter/);
  await expect.poll(() => page.evaluate(() => document.fonts.check('16px Inter'))).toBe(true);
  const [primary, plain] = [await background(page, 'aside'), await background(page, 'body')];
  expect(primary).not.toBe(plain);
  await page.goto(linkOf(newClient()));
  await expect(page).toHaveURL('/integration/widget');
  expect(await background(page, 'body')).toBe(primary);
  await arriveAtUpdate(page, newClient({ widget_type: 'update' }));
  expect(await background(page, 'body')).toBe(primary);
});

test('the side image is hidden below 1154 pixels', async ({ page }) => {
  await page.goto('/error/token-expired');
  for (const width of [1154, 1153]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.locator('aside')).toBeVisible({ visible: width === 1154 });
  }
});

test('the widget is 320×568, and as large as the screen up to 500 pixels', async ({ page, newClient }) => {
  await page.setViewportSize({ width: 1440, height: 740 });
  await arriveAtConnect(page, newClient());
  const frame = page.locator('iframe[title="Pluggy"][name^="__zoid__pluggy_connect_widget__"]');
  for (const [screen, width, height] of [
    [1440, 320, 568],
    [501, 320, 568],
    [500, 500, 740],
    [360, 360, 740],
  ] as const) {
    await page.setViewportSize({ width: screen, height: 740 });
    const size = async () => {
      const box = await frame.boundingBox();
      return box && [Math.round(box.width), Math.round(box.height)];
    };
    await expect.poll(size, `in ${screen} pixels`).toEqual([width, height]);
  }
});

test('two firms of one deployment have their brands from the entry on', async ({ page }) => {
  const program = await startSandbox({ BRANDS_DIR });
  for (const { link, light, dark } of [
    { link: 'demo-novo', light: '#5b1a3a', dark: '#44142c' },
    { link: 'demo-outro-escritorio', light: '#ffd84d', dark: '#66561f' },
  ]) {
    await page.goto(program.url + demoLink(link));
    const logo = page.locator('.brand__logo').first();
    await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    const primary = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--color-primary'));
    const bars = page.locator('meta[name="theme-color"]').evaluateAll((all) => all.map((meta) => meta.getAttribute('content')));
    expect([await primary(), await bars]).toEqual([light, [light, dark]]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await primary()).toBe(dark);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  await program.stop();
});

test.describe('in the gallery', () => {
  test.use({ mode: 'sandbox' });

  test('headings and footers share one left edge, the firm is seen once, and no screen is higher than its content @desktop', async ({ page }) => {
    const edges = new Set<number>();
    for (const slug of ['accounts-one', 'cancel-list', 'token-expired']) {
      await page.goto(`/sandbox/screens/${slug}`);
      await expect(page.locator('html')).toHaveAttribute('data-performed');
      for (const one of ['h1', '.page__footer p']) {
        edges.add(Math.round((await page.locator(one).first().boundingBox())?.x ?? -1));
      }
      await expect(page.locator('footer'), slug).toBeInViewport();
      const firm = page.locator('aside .brand__firm');
      await expect(firm).toHaveCount(slug === 'token-expired' ? 0 : 1);
      await expect(page.getByRole('banner')).toHaveCSS('opacity', slug === 'token-expired' ? '1' : '0');
    }
    expect([...edges]).toHaveLength(1);
  });

  test('a toast leaves the firm’s name to be read @both-sizes', async ({ page, isMobile }) => {
    await page.goto('/sandbox/screens/toasts');
    const toast = await page.locator('.toast').first().boundingBox();
    const name = await page.locator(isMobile ? 'header .brand__firm' : 'aside .brand__firm').boundingBox();
    if (toast === null || name === null) throw new Error('there is no toast, or no name');
    expect(toast.y >= name.y + name.height || toast.x + toast.width <= name.x).toBe(true);
  });

  test('the ring around a bad field leaves its red border to be seen', async ({ page }) => {
    await page.goto('/sandbox/screens/bank-form-errors');
    const field = page.getByRole('combobox');
    await expect(field).toBeFocused();
    await expect(field).toHaveCSS('outline-offset', '2px');
    const red = await page.locator('.field__error').first().evaluate((error) => getComputedStyle(error).color);
    await expect(field).toHaveCSS('border-top-color', red);
  });

  test('on paper the receipt has the firm’s logo, and its numbers in black', async ({ page }) => {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.goto('/sandbox/screens/brand-receipt');
    await expect(page.locator('.brand__logo').first()).toBeVisible();
    await expect(page.getByRole('link', { name: /^WhatsApp/ })).toHaveCSS('color', 'rgb(0, 0, 0)');
  });
});

test.describe('with motion', () => {
  // All other tests run with reduced motion.
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('a spinner turns, and the way to the bank form and back works', async ({ page, newClient }) => {
    const client = newClient();
    const release = client.hold('list-accounts');
    await arriveAtAccounts(page, client);
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBeGreaterThan(0);
    release();
    await page.getByRole('link', { name: 'Integrar novo banco' }).click();
    await expect(page.getByRole('combobox')).toBeEditable();
    await page.goBack();
    await expect(page).toHaveURL('/integration/accounts');
    await waitForHydration(page);
  });
});
