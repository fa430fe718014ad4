/** What holds on every screen, for every sense and hand (spec §2, "Layout"; ux.md; WCAG 2.2 AA). */
import type { Page } from '@playwright/test';
import { findings } from '../axe.ts';
import { FIRM } from '../client.ts';
import { expect, test } from '../fixtures.ts';
import { SCREENS } from '../screens.ts';

const MIN_TARGET_PX = 44;

/** The narrowest phone. */
const NARROW = { width: 320, height: 640 };

for (const { name, title, focus, image, data, show } of SCREENS) {
  test(`${name}: title, heading and picture are its own, everything can be pressed, axe finds nothing, and it fits 320 pixels @both-sizes`, async ({
    page,
    newClient,
    isMobile,
  }) => {
    await show(page, newClient(data));
    await expect(page).toHaveTitle(new RegExp(`^${title} · (Vincula|${FIRM})$`));
    // Under Connect's dialog it is out of reach, but there.
    const heading = page.locator('h1:not([hidden] *)');
    await expect(heading).toHaveCount(1);
    if (focus === 'heading') await expect(heading).toBeFocused();
    await expect(page.getByRole('banner')).toHaveCount(image === undefined ? 0 : 1);
    const pictures = page.locator('aside img');
    await expect(pictures).toHaveCount(image === undefined ? 0 : 1);
    if (image !== undefined) {
      await expect(pictures).toHaveAttribute('src', new RegExp(`/illustrations/${image}\\.`));
      await expect(pictures).toBeVisible({ visible: !isMobile });
    }
    expect(await lowTargets(page)).toEqual([]);
    expect(await findings(page)).toEqual([]);
    // Colours are the same at every size.
    if (!isMobile) return;
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findings(page), 'in the dark').toEqual([]);
    await page.setViewportSize(NARROW);
    expect(await overflow(page), `beyond ${NARROW.width} pixels`).toBeLessThanOrEqual(0);
  });
}

/** What there is to press and is too low for a thumb. */
function lowTargets(page: Page): Promise<string[]> {
  const targets = page.locator('main').locator('button:visible, a:visible, input[type=text]:visible');
  return targets.evaluateAll(
    (elements, least) =>
      elements
        .map((element) => ({ element, height: element.getBoundingClientRect().height }))
        .filter(({ height }) => height < least - 0.5)
        .map(({ element, height }) => `${element.textContent} ${height}`),
    MIN_TARGET_PX,
  );
}

function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}
