/** Nothing jumps, nothing is cut off, everything can be hit and read: measured on every screen (ux.md). */
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { isHydrated, open, settle, STATES } from '../gallery.ts';

const MAX_SHIFT = 0.01;
const MIN_TARGET_PX = 44;
const MIN_BODY_PX = 16;
const MIN_SMALL_PRINT_PX = 15;
/** Longer than this is motion; the stylesheet cuts everything to 1 ms. */
const MAX_MOTION_MS = 10;

/** Beside the text that has to be read: hints, states, column headings, ways out, and what is drawn rather than read. */
const SMALL_PRINT = [
  ...['.field__hint', '.field__warning', '.field__error', '.button__hint', '.live-status', '.link-quiet'],
  ...['.step__eyebrow', '.brand__by', '.step__back', '.step__way-out'],
  ...['.problem__support', '.accounts thead', '.accounts [data-label]', '.steps__number', '.combobox__option'],
  ...['.combobox__heading', '.facts dt', '.credentials'],
].join();

type Watch = { shifts: string[]; total: number; flush: () => void };

/** To be called before the first page: every document then counts its own shifts. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] };
    const watch: Watch = { shifts: [], total: 0, flush: () => take(observer.takeRecords()) };
    // As browsers have it with a person's input; the gallery acts by script.
    const followsAnAct = (time: number) =>
      performance.getEntriesByName('act').some((act) => act.startTime <= time && time < act.startTime + 500);
    const take = (entries: PerformanceEntryList) => {
      for (const { value, startTime, hadRecentInput, sources } of entries as Shift[]) {
        if (hadRecentInput || followsAnAct(startTime)) continue;
        watch.total += value;
        const moved = sources.map(({ node }) => (node instanceof Element ? `${node.localName}.${node.className}` : '?'));
        watch.shifts.push(`${value.toFixed(4)} ${moved.join(' ')}`);
      }
    };
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { watch });
  });
}

/** What has moved on the document that is shown, once it is drawn. */
function shiftsOf(page: Page): Promise<{ total: number; shifts: string[] }> {
  return page.evaluate(async () => {
    const { watch } = window as unknown as { watch: Watch };
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    watch.flush();
    return { total: watch.total, shifts: watch.shifts };
  });
}

test.use({ mode: 'sandbox' });

for (const state of STATES) {
  test(`${state.slug}: nothing jumps @both-sizes`, async ({ page, browserErrors }) => {
    await watchShifts(page);
    await open(page, state, browserErrors);
    const first = await shiftsOf(page);
    // The notice of a wasm module that failed comes late, above what it is about.
    if (state.slug === 'wasm-broken') return;
    expect(first.total, first.shifts.join('\n')).toBeLessThan(MAX_SHIFT);

    // At its worst: drawn long before its font and scripts, and alive long before its data.
    let sendScripts = () => {};
    const painted = new Promise<void>((resolve) => {
      sendScripts = resolve;
    });
    await page.route(/\.(js|wasm|woff2)$/, async (route) => {
      await painted;
      await route.fallback();
    });
    await page.addInitScript(() => {
      const answersHeld = new Promise((resolve) => Object.assign(window, { sendAnswers: resolve }));
      Object.assign(window, { answersHeld });
    });
    await page.reload({ waitUntil: 'commit' });
    await isPainted(page);
    sendScripts();
    await isHydrated(page);
    await shiftsOf(page);
    await page.evaluate(() => (window as unknown as { sendAnswers: () => void }).sendAnswers());
    await settle(page, state);
    const second = await shiftsOf(page);
    expect(second.total, second.shifts.join('\n')).toBeLessThan(MAX_SHIFT);
  });

  test(`${state.slug}: everything can be hit and read @both-sizes`, async ({ page, browserErrors }) => {
    await open(page, state, browserErrors);
    expect.soft(await motions(page), 'moves for who does not want it').toEqual([]);
    expect.soft(await smallLetters(page), 'small letters').toEqual([]);
    expect.soft(await picturesWithoutPlace(page), 'pictures without a place').toEqual([]);
    expect.soft(await outOfReach(page, MIN_TARGET_PX), 'small targets').toEqual([]);
    // At 320 px, and as low as 1280x1024 is at 400 %.
    for (const height of [740, 256]) {
      await page.setViewportSize({ width: 320, height });
      await expect(page.locator(state.shows).first()).toBeAttached();
      expect.soft(await sticksOut(page), `wider than 320x${height}`).toEqual([]);
      expect.soft(await outOfReach(page, 1), `out of reach at 320x${height}`).toEqual([]);
    }
    await page.emulateMedia({ forcedColors: 'active' });
    expect.soft(await withoutEdge(page), 'without an edge in forced colours').toEqual([]);
    expect.soft(await unseenSigns(page), 'signs without a colour in forced colours').toEqual([]);
  });

  test(`${state.slug}: letters of twice the size fit a phone`, async ({ page, browserErrors }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open(page, state, browserErrors);
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    expect.soft(await sticksOut(page), 'wider than the phone').toEqual([]);
    expect.soft(await outOfReach(page, 1), 'out of reach').toEqual([]);
  });
}

test('the checks find a jump, a small target, small letters, a picture without a place and a lost edge @both-sizes', async ({
  page,
}) => {
  await watchShifts(page);
  await page.goto('/acessibilidade');
  await isPainted(page);
  await page.evaluate(() => {
    const make = (tag: string, css: string, words = '') => {
      const made = document.createElement(tag);
      made.style.cssText = css;
      made.textContent = words;
      return made;
    };
    const main = document.querySelector('main');
    main?.prepend(
      make('button', 'inline-size: 20px; block-size: 20px; border: 0; padding: 0'),
      make('p', 'font-size: 12px', 'pequeno'),
      make('img', ''),
    );
  });
  // Chromium leaves out what moves right after the window was sized.
  const push = (main: HTMLElement, px: number) => main.style.setProperty('padding-block-start', `${px}px`);
  let pushed = 100;
  await expect
    .poll(async () => {
      await page.locator('main').evaluate(push, (pushed = 300 - pushed));
      return (await shiftsOf(page)).total;
    })
    .toBeGreaterThan(MAX_SHIFT);
  expect(await outOfReach(page, MIN_TARGET_PX)).toEqual([expect.stringContaining('button')]);
  expect(await smallLetters(page)).toEqual([expect.stringContaining('pequeno')]);
  expect(await picturesWithoutPlace(page)).toHaveLength(1);
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await withoutEdge(page)).toEqual([expect.stringContaining('button')]);
  expect(await unseenSigns(page)).toEqual([]);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.data-list__item::before { mask: linear-gradient(#000, #000); background: Canvas; forced-color-adjust: none }');
    document.adoptedStyleSheets.push(sheet);
  });
  expect(await unseenSigns(page)).toContainEqual(expect.stringContaining('data-list__item'));
  await page.locator('main').evaluate((main) => main.style.setProperty('inline-size', '2000px'));
  expect(await sticksOut(page)).not.toEqual([]);
});

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('a spinner turns @both-sizes', async ({ page }) => {
    await page.goto('/sandbox/screens/entry-validating');
    await expect(page.getByText('Abrindo o seu link…').last()).toBeVisible();
    expect(await motions(page)).toContainEqual(expect.stringContaining('turn'));
  });
});

async function isPainted(page: Page): Promise<void> {
  const painted = () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length);
  await expect.poll(painted).toBe(1);
}

/** What makes the page wider than the screen. */
function sticksOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = Math.max(scrollWidth, document.body.scrollWidth);
    if (wide <= clientWidth && clientWidth <= screen.width && innerWidth <= clientWidth + 20) return [];
    const guilty = [...document.querySelectorAll('body *')].filter(
      (one) => one.checkVisibility() && one.getBoundingClientRect().right > clientWidth + 0.5,
    );
    return [`${wide} > ${clientWidth}`, ...guilty.map((one) => `${one.localName}.${one.className}`)];
  });
}

/** The targets that a pointer does not hit over `size` pixels in both directions. Links in a sentence are excepted. */
function outOfReach(page: Page, size: number): Promise<string[]> {
  return page.evaluate(async (side) => {
    const TARGETS = 'a[href], button, input:not([type=hidden]), select, textarea, [role=option], [role=button]';
    const inSentence = (one: Element) =>
      one.localName === 'a' &&
      getComputedStyle(one).display === 'inline' &&
      [...(one.parentElement?.childNodes ?? [])].some((node) => node.nodeType === 3 && node.nodeValue?.trim());
    const acts = (hit: Element | null, target: Element) => {
      if (hit === null) return false;
      if (target.contains(hit)) return true;
      const label = hit.closest('label');
      return label !== null && label.control === target;
    };
    /** The box to aim at: a checkbox is ticked by all of its label, too. */
    const aim = (target: Element) => {
      const label = target.matches('[type=checkbox], [type=radio]') ? target.parentElement : null;
      return (label ?? target).getBoundingClientRect();
    };
    // What an open list lies over can be hit when it is closed.
    const list = document.querySelector('[role=listbox]')?.parentElement;
    const miss = async (target: Element): Promise<string[]> => {
      target.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      // The way past the header is there only while it has the focus.
      if (target.matches('.skip-link') && target instanceof HTMLElement) {
        target.focus({ preventScroll: true });
        await Promise.all(target.getAnimations().map(({ finished }) => finished));
      }
      const { left, top, width, height } = aim(target);
      const [x, y, half] = [left + width / 2, top + height / 2, side / 2 - 0.5];
      const points: [number, number][] = [
        [x, y],
        [x - half, y],
        [x + half, y],
        [x, y - half],
        [x, y + half],
      ];
      const missed = points.filter(([px, py]) => {
        const hit = document.elementFromPoint(px, py);
        return !acts(hit, target) && !(list?.contains(hit) && !list.contains(target));
      });
      if (missed.length === 0) return [];
      const [first = [0, 0]] = missed;
      const hit = document.elementFromPoint(...first);
      const at = `${Math.round(first[0])},${Math.round(first[1])}`;
      return [`${target.outerHTML.slice(0, 120)} is ${width}x${height}; at ${at} there is ${hit?.outerHTML.slice(0, 80)}`];
    };
    const targets = [...document.querySelectorAll(TARGETS)]
      // It takes the focus to be seen, which would close the list.
      .filter((one) => !(list && one.matches('.skip-link')))
      .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((one) => one.closest('[inert]') === null && getComputedStyle(one).pointerEvents !== 'none')
      .filter((one) => document.querySelector('[role=alertdialog]')?.contains(one) ?? true)
      .filter((one) => side <= 1 || !inSentence(one));
    const missed: string[] = [];
    for (const target of targets) missed.push(...(await miss(target)));
    return missed;
  }, size);
}

/** Fields and running text below 16 px, small print below 15 px. */
function smallLetters(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ SMALL_PRINT, MIN_BODY_PX, MIN_SMALL_PRINT_PX }) => {
      const sizeOf = (one: Element) => Number.parseFloat(getComputedStyle(one).fontSize);
      const isText = (one: Element) => [...one.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim());
      const isBody = (one: Element) => one.closest('main') !== null && one.closest(SMALL_PRINT) === null;
      return [...document.querySelectorAll('body, body *')]
        .filter((one) => one.checkVisibility() && one.closest('script, style, noscript') === null)
        .filter((one) => {
          if (one.matches('body, input, select, textarea')) return sizeOf(one) < MIN_BODY_PX;
          return isText(one) && sizeOf(one) < (isBody(one) ? MIN_BODY_PX : MIN_SMALL_PRINT_PX);
        })
        .map((one) => `${sizeOf(one)}px: ${one.outerHTML.slice(0, 120)}`);
    },
    { SMALL_PRINT, MIN_BODY_PX, MIN_SMALL_PRINT_PX },
  );
}

/** Pictures whose box is not known before they are. */
function picturesWithoutPlace(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.images]
      .filter((one) => one.checkVisibility())
      .filter((one) => {
        const style = one.computedStyleMap();
        const fixed = (name: string) => String(style.get(name)) !== 'auto';
        return !(one.hasAttribute('width') && one.hasAttribute('height')) && !(fixed('width') && fixed('height'));
      })
      .map((one) => one.outerHTML),
  );
}

/** What moves longer than motion may. */
function motions(page: Page): Promise<string[]> {
  return page.evaluate((limit) => {
    return document.getAnimations().flatMap((one) => {
      if (!(one.effect instanceof KeyframeEffect) || one.playState !== 'running') return [];
      // The SDK fades its frames in.
      if (one.effect.target?.localName === 'iframe') return [];
      // An endless one of 1 ms flickers.
      if (Number(one.effect.getComputedTiming().activeDuration) <= limit) return [];
      const name = one instanceof CSSAnimation ? one.animationName : one instanceof CSSTransition ? one.transitionProperty : '?';
      return [`${name}: ${one.effect.target?.outerHTML.slice(0, 120)}`];
    });
  }, MAX_MOTION_MS);
}

/** Buttons and fields that could not be told from the page around them. */
function withoutEdge(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const transparent = /^rgba\(.*, 0\)$|^transparent$/;
    const backgroundOf = (one: Element | null): string => {
      if (one === null) return 'rgb(0, 0, 0)';
      const { backgroundColor } = getComputedStyle(one);
      return transparent.test(backgroundColor) ? backgroundOf(one.parentElement) : backgroundColor;
    };
    const hasEdge = (one: Element) => {
      const style = getComputedStyle(one);
      const around = backgroundOf(one.parentElement);
      const lines = [
        [style.borderBlockEndStyle, style.borderBlockEndWidth, style.borderBlockEndColor],
        [style.outlineStyle, style.outlineWidth, style.outlineColor],
      ];
      return lines.some(
        ([kind, width, color = '']) =>
          kind !== 'none' && Number.parseFloat(width ?? '') >= 1 && !transparent.test(color) && color !== around,
      );
    };
    return [...document.querySelectorAll('button, .button, input:not([type=hidden], [type=checkbox])')]
      .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((one) => !hasEdge(one))
      .map((one) => one.outerHTML.slice(0, 120));
  });
}

/** Signs (CSS masks) that have the colour of what they lie on. */
function unseenSigns(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const transparent = /^rgba\(.*, 0\)$|^transparent$/;
    const backgroundOf = (one: Element | null): string => {
      if (one === null) return getComputedStyle(document.documentElement).backgroundColor;
      const { backgroundColor } = getComputedStyle(one);
      return transparent.test(backgroundColor) ? backgroundOf(one.parentElement) : backgroundColor;
    };
    return [...document.querySelectorAll('body *')]
      .filter((one) => one.checkVisibility())
      .filter((one) => {
        const sign = getComputedStyle(one, '::before');
        if (sign.content === 'none' || sign.maskImage === 'none') return false;
        return transparent.test(sign.backgroundColor) || sign.backgroundColor === backgroundOf(one);
      })
      .map((one) => one.outerHTML.slice(0, 120));
  });
}
