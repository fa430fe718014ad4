/** Side image, colours, sizes and font; header and image of each screen: `screens.spec.ts`. */
import type { Page } from '@playwright/test';
import { expect, linkOf, test } from '../fixtures.ts';
import { arriveAtConnect, arriveAtUpdate } from '../journey-steps.ts';

const aside = (page: Page) => page.locator('aside');
const background = (page: Page, of: string) =>
  page.locator(of).evaluate((element) => getComputedStyle(element).backgroundColor);

test('the widget and update routes lie on the primary colour', async ({ page, newClient }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/error/token-expired');
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
  await page.setViewportSize({ width: 1154, height: 800 });
  await expect(aside(page)).toBeVisible();
  await page.setViewportSize({ width: 1153, height: 800 });
  await expect(aside(page)).toBeHidden();
});

test('the widget is 320×568, and as large as the screen up to 500 pixels', async ({ page, newClient }) => {
  await page.setViewportSize({ width: 1440, height: 740 });
  await arriveAtConnect(page, newClient());
  const frame = page.locator('iframe[title="Pluggy"][name^="__zoid__pluggy_connect_widget__"]');
  for (const { width, size } of [
    { width: 1440, size: { width: 320, height: 568 } },
    { width: 501, size: { width: 320, height: 568 } },
    { width: 500, size: { width: 500, height: 740 } },
    { width: 360, size: { width: 360, height: 740 } },
  ]) {
    await page.setViewportSize({ width, height: 740 });
    await expect
      .poll(async () => {
        const box = await frame.boundingBox();
        return box && { width: Math.round(box.width), height: Math.round(box.height) };
      }, `in ${width} pixels`)
      .toEqual(size);
  }
});

test.describe('on the sandbox', () => {
  test.use({ mode: 'sandbox' });

  test('header and headings share one left edge, and no screen is higher than its content @desktop', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const edges = new Set<number>();
    for (const slug of ['accounts-one', 'success-new', 'cancel-list', 'token-expired']) {
      await page.goto(`/sandbox/screens/${slug}`);
      await expect(page.locator('html')).toHaveAttribute('data-performed');
      for (const one of ['.page__header .brand', 'h1', '.page__footer p']) {
        edges.add(Math.round((await page.locator(one).first().boundingBox())?.x ?? -1));
      }
      // What the success says is longer than the window.
      if (slug !== 'success-new') await expect(page.locator('footer'), slug).toBeInViewport();
    }
    expect([...edges]).toHaveLength(1);
  });

  test('a toast leaves the firm’s name to be read @both-sizes', async ({ page }) => {
    await page.goto('/sandbox/screens/toasts');
    const toast = await page.locator('.toast').first().boundingBox();
    const name = await page.locator('.page__header .brand__firm').boundingBox();
    expect(toast?.y).toBeGreaterThanOrEqual((name?.y ?? Infinity) + (name?.height ?? 0));
  });

  test('the ring around a bad field leaves its red border to be seen @both-sizes', async ({ page }) => {
    await page.goto('/sandbox/screens/bank-form-errors');
    const field = page.getByRole('combobox');
    await expect(field).toBeFocused();
    const [border, hint, offset] = await field.evaluate((input) => {
      const { borderTopColor, outlineOffset } = getComputedStyle(input);
      const error = document.querySelector('.field__error');
      return [borderTopColor, error && getComputedStyle(error).color, outlineOffset];
    });
    expect([border, offset]).toEqual([hint, '2px']);
  });
});

test('the page is set in Inter', async ({ page }) => {
  await page.goto('/error/token-expired');
  expect(await page.locator('body').evaluate((body) => getComputedStyle(body).fontFamily)).toMatch(/^"?Inter/);
  await expect.poll(() => page.evaluate(() => document.fonts.check('16px Inter'))).toBe(true);
});
