/** axe finds nothing on any screen, in either colour scheme, at any size (ux.md; WCAG 2.2 A and AA). */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '../fixtures.ts';
import { arrive, photograph, SCHEMES, SIZES, standStill } from '../looking.ts';
import { SCREENS } from '../states.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Text under or over something else: axe takes it for undecided. */
const OVERLAPS = /overlap|partially obscured/;

test.describe.configure({ timeout: 90_000 });

for (const screen of SCREENS) {
  test(`${screen.name}: nothing to complain about, light and dark @both-sizes`, async ({
    page,
    newClient,
    sandbox,
    troubles,
    standIn,
  }, { project }) => {
    const sizes = project.name === 'phone' ? SIZES.phone : SIZES.desktop;
    await arrive(screen, { page, newClient, sandbox, troubles, standIn });
    for (const size of sizes) {
      await page.setViewportSize(size);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        await expect(screen.there(page)).toBeVisible();
        await standStill(page);
        await photograph(page, screen, colorScheme);
        // What is in Connect's frame is not ours, and has a `main` of its own.
        const axe = new AxeBuilder({ page }).withTags(RULES).exclude({ fromFrames: ['iframe', 'html'] });
        const { violations, passes, incomplete } = await axe.disableRules('landmark-unique').analyze();
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
