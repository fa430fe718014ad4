/** Header, side image, colours and sizes (spec §2, "Layout"). */
import type { Page } from '@playwright/test';
import { expect, linkOf, test } from '../fixtures.ts';
import { arriveAtConnect } from '../person.ts';
import { SCREENS } from '../screens.ts';

const aside = (page: Page) => page.locator('aside');
const background = (page: Page, of: string) =>
  page.locator(of).evaluate((element) => getComputedStyle(element).backgroundColor);

for (const { name, image, data, show } of SCREENS) {
  test(`${name}: ${image === undefined ? 'no header, no image' : `header, and the image "${image}"`}`, async ({
    page,
    newClient,
    isMobile,
  }) => {
    await show(page, newClient(data));
    await expect(page.getByRole('banner')).toHaveCount(image === undefined ? 0 : 1);
    if (image === undefined) {
      await expect(aside(page)).toHaveCount(0);
    } else {
      await expect(aside(page).locator('img')).toHaveAttribute('src', new RegExp(`/illustrations/${image}\\.`));
      await expect(aside(page)).toBeVisible({ visible: !isMobile });
    }
  });

  test(`${name} fits 320 pixels @any-size`, async ({ page, newClient }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await show(page, newClient(data));
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });
}

test('the widget and update routes lie on the primary colour', async ({ page, newClient }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/error/token-expired');
  const [primary, plain] = [await background(page, 'aside'), await background(page, 'body')];
  expect(primary).not.toBe(plain);
  await page.goto(linkOf(newClient()));
  await expect(page).toHaveURL('/integration/widget');
  expect(await background(page, 'body')).toBe(primary);
  await page.goto(linkOf(newClient({ widget_type: 'update' })));
  await expect(page).toHaveURL('/integration/update');
  expect(await background(page, 'body')).toBe(primary);
});

test('the side image is hidden below 1154 pixels @any-size', async ({ page }) => {
  await page.goto('/error/token-expired');
  await page.setViewportSize({ width: 1154, height: 800 });
  await expect(aside(page)).toBeVisible();
  await page.setViewportSize({ width: 1153, height: 800 });
  await expect(aside(page)).toBeHidden();
});

for (const { width, size } of [
  { width: 1440, size: { width: 320, height: 568 } },
  { width: 501, size: { width: 320, height: 568 } },
  { width: 500, size: { width: 500, height: 740 } },
  { width: 360, size: { width: 360, height: 740 } },
]) {
  test(`the widget is ${size.width}×${size.height} in ${width} pixels @any-size`, async ({ page, newClient }) => {
    await page.setViewportSize({ width, height: 740 });
    await arriveAtConnect(page, newClient());
    const frame = page.locator('iframe[title="Pluggy"][name^="__zoid__pluggy_connect_widget__"]');
    await expect.poll(async () => {
      const box = await frame.boundingBox();
      return box && { width: Math.round(box.width), height: Math.round(box.height) };
    }).toEqual(size);
  });
}

test('the page is set in Inter @any-size', async ({ page }) => {
  await page.goto('/error/token-expired');
  expect(await page.locator('body').evaluate((body) => getComputedStyle(body).fontFamily)).toMatch(/^"?Inter/);
  await expect.poll(() => page.evaluate(() => document.fonts.check('16px Inter'))).toBe(true);
});
