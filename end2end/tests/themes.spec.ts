/** axe finds nothing on any screen, in either colour scheme, at any size (ux.md; WCAG 2.2 A and AA). */
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { exceptions, open, type State, STATES } from '../gallery.ts';

const SIZES = {
  phone: [{ width: 360, height: 740 }],
  desktop: [
    { width: 1440, height: 900 },
    { width: 768, height: 1024 },
  ],
} as const;

const SCHEMES = ['light', 'dark'] as const;

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Text under or over something else: axe takes it for undecided. */
const OVERLAPS = /overlap|partially obscured/;

test.use({ mode: 'sandbox' });
test.describe.configure({ timeout: 90_000 });

for (const state of STATES) {
  test(`${state.slug}: axe finds nothing, light and dark @both-sizes`, async ({ page, browserErrors }, { project }) => {
    const sizes = project.name === 'phone' ? SIZES.phone : SIZES.desktop;
    await open(page, state, browserErrors);
    for (const size of sizes) {
      await page.setViewportSize(size);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        await expect(page.locator(state.shows).first()).toBeVisible();
        await standStill(page);
        await photograph(page, state, colorScheme);
        // What is in Connect's frame is not ours, and has a `main` of its own.
        const axe = new AxeBuilder({ page }).withTags(RULES).exclude({ fromFrames: ['iframe', 'html'] });
        const { violations, passes, incomplete } = await axe.disableRules(['landmark-unique', ...exceptions(state)]).analyze();
        const where = `${size.width} px, ${colorScheme}`;
        const found = violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
        );
        expect.soft(found, where).toEqual([]);
        expect.soft(passes.map(({ id }) => id), where).toContain('color-contrast');
        const undecided = incomplete
          .filter(({ id }) => id === 'color-contrast')
          .flatMap(({ nodes }) => nodes.map(({ target, any }) => `${target.join(' ')}: ${any[0]?.message}`))
          .filter((text) => !OVERLAPS.test(text));
        expect.soft(undecided, `${where}: contrast not known`).toEqual([]);
      }
    }
  });
}

/** Waits until everything that moves only for a while has come to its end. */
async function standStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = () => document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    do {
      await Promise.allSettled(moving().map(({ finished }) => finished));
      await new Promise(requestAnimationFrame);
    } while (moving().length > 0);
  });
}

/** Takes its picture, if pictures are wanted (`npm run screenshots`): screenshots/<state>-<size>-<scheme>.png. */
async function photograph(page: Page, { slug }: State, scheme: string): Promise<void> {
  if (process.env.SCREENSHOTS === undefined) return;
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const name = `${slug}-${width}x${height}-${scheme}.png`;
  await page.screenshot({ path: fileURLToPath(new URL(`../../screenshots/${name}`, import.meta.url)), fullPage: true });
}
