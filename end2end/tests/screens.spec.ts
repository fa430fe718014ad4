/** What holds on every screen, for every sense and hand. */
import type { Page } from '@playwright/test';
import { findings } from '../axe.ts';
import { expect, test } from '../fixtures.ts';
import { exceptions, open, STATES } from '../gallery.ts';

const MIN_TARGET_PX = 44;

/** The narrowest phone. */
const NARROW = { width: 320, height: 640 };

type Own = {
  /** Its own part of the browser's title. */
  title: string;
  /** The picture beside it; absent where there is none. */
  image?: 'default' | 'select-bank' | 'success' | 'cancel' | 'cancelled';
  /** Where a screen reader begins; elsewhere in a dialog, or nowhere while the screen loads. */
  focus?: 'heading';
};

/** What each screen has of its own, by its state in the gallery. */
const SCREENS = new Map<string, Own>([
  ['entry-validating', { title: 'Abrindo o seu link', image: 'default' }],
  ['consent', { title: 'Autorizar acesso', focus: 'heading' }],
  ['accounts-empty', { title: 'Contas integradas', image: 'default', focus: 'heading' }],
  ['accounts-many', { title: 'Contas integradas', image: 'default', focus: 'heading' }],
  ['bank-form', { title: 'Banco e administrador', image: 'select-bank', focus: 'heading' }],
  ['connect-open', { title: 'Conectar ao banco' }],
  ['connect-update-open', { title: 'Atualizar integração' }],
  ['success-new', { title: 'Integração concluída', image: 'success', focus: 'heading' }],
  ['cancel-list', { title: 'Cancelar integrações', image: 'cancel', focus: 'heading' }],
  ['cancel-success', { title: 'Integrações canceladas', image: 'cancelled', focus: 'heading' }],
  ['token-expired', { title: 'O prazo deste link acabou', image: 'cancel', focus: 'heading' }],
  ['not-found', { title: 'Página não encontrada', image: 'cancel', focus: 'heading' }],
  ['accessibility', { title: 'Acessibilidade', image: 'default', focus: 'heading' }],
]);

test.use({ mode: 'sandbox' });

test('the gallery has every screen of the table', () => {
  const slugs = STATES.map(({ slug }) => slug);
  expect(slugs).toEqual(expect.arrayContaining([...SCREENS.keys()]));
});

for (const state of STATES) {
  const own = SCREENS.get(state.slug);
  if (own === undefined) continue;
  const { title, image, focus } = own;
  test(`${state.slug}: title, heading and picture are its own, everything can be pressed, axe finds nothing, and it fits 320 pixels @both-sizes`, async ({
    page,
    isMobile,
    browserErrors,
  }) => {
    await open(page, state, browserErrors);
    await expect(page).toHaveTitle(new RegExp(`^${title} · (Vincula|Contábil Horizonte)$`));
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
    expect(await findings(page, exceptions(state))).toEqual([]);
    expect(await missingRegions(page)).toEqual([]);
    // Colours are the same at every size.
    if (!isMobile) return;
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findings(page, exceptions(state)), 'in the dark').toEqual([]);
    await page.setViewportSize(NARROW);
    expect(await overflow(page), `beyond ${NARROW.width} pixels`).toBeLessThanOrEqual(0);
  });
}

// One page for each step: half the time of one for each state.
for (const step of new Set(STATES.map((state) => state.step))) {
  const states = STATES.filter((state) => state.step === step && !SCREENS.has(state.slug));
  test(`${step}: every other state is reached, and axe finds nothing`, async ({ page, browserErrors }) => {
    test.setTimeout(90_000);
    for (const state of states) {
      await open(page, state, browserErrors);
      expect.soft(await findings(page, exceptions(state)), state.slug).toEqual([]);
      expect.soft(await missingRegions(page), state.slug).toEqual([]);
    }
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

/**
 * Live regions that are not displayed, of which screen readers miss what comes into them. An alert is announced when it
 * comes itself. Nothing comes into what is closed, broken, or over.
 */
function missingRegions(page: Page): Promise<string[]> {
  const SILENT = 'details:not([open]), dialog:not([open]), [data-islands=failed], [data-react][hidden], #entry-waiting';
  return page.locator('[role=status], [aria-live]').evaluateAll(
    (elements, silent) =>
      elements
        .filter((element) => !element.closest(silent) && element.getClientRects().length === 0)
        .map((element) => element.outerHTML.slice(0, 120)),
    SILENT,
  );
}

function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}
