/**
 * Looking at a screen: at which sizes, in which colours, when it stands still, and the camera.
 * `npm run screenshots` takes the pictures: `../screenshots/<state>-<size>-<scheme>.png`.
 */
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type { Client } from './client.ts';
import type { Scene, Screen } from './states.ts';

export const SIZES = {
  phone: [{ width: 360, height: 740 }],
  desktop: [
    { width: 1440, height: 900 },
    { width: 768, height: 1024 },
  ],
} as const;

export const SCHEMES = ['light', 'dark'] as const;

/** Goes there and waits until all of it is. */
export async function arrive(screen: Screen, scene: Scene): Promise<Client | undefined> {
  const client = await screen.go(scene);
  await settle(screen, scene.page);
  return client;
}

export async function settle(screen: Screen, page: Page): Promise<void> {
  await expect(screen.there(page)).toBeVisible();
  // Nothing on the page has still to come alive.
  await expect(page.locator('body[data-islands="alive"], body:not(:has(leptos-island, [data-react]))')).toBeAttached();
}

/** Waits until everything that moves only for a while has come to its end. */
export async function standStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = () => document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    do {
      await Promise.allSettled(moving().map(({ finished }) => finished));
      await new Promise(requestAnimationFrame);
    } while (moving().length > 0);
  });
}

/** Takes its picture, if pictures are wanted. */
export async function photograph(page: Page, screen: Screen, scheme: string): Promise<void> {
  if (process.env.SCREENSHOTS === undefined) return;
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const name = `${screen.name}-${width}x${height}-${scheme}.png`;
  await page.screenshot({ path: fileURLToPath(new URL(`../screenshots/${name}`, import.meta.url)), fullPage: true });
}
