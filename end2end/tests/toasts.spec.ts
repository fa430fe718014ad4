/** Toasts: how long they stay, and where the focus goes. */
import type { Page } from '@playwright/test';
import { installClock, stopClock } from '../clock.ts';
import { expect, test } from '../fixtures.ts';
import { arriveAtAccounts } from '../journey-steps.ts';

const toast = (page: Page) => page.getByRole('region', { name: 'Avisos' }).getByText('Houve falha na requisição.');
const close = (page: Page) => page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Fechar' });
const again = (page: Page) => page.getByRole('button', { name: 'Tentar de novo' });

test.beforeEach(async ({ page, newClient, browserErrors }) => {
  browserErrors.expect(/status of 504 .*list_accounts/);
  await installClock(page);
  await arriveAtAccounts(page, newClient().respond('list-accounts', 'drop'));
  await expect(toast(page)).toBeVisible();
  await stopClock(page);
});

test('a toast stays while the focus is in it, though the pointer has left', async ({ page }) => {
  await close(page).focus();
  await toast(page).hover();
  await page.mouse.move(5, 700);
  await page.clock.runFor(20_000);
  await expect(toast(page)).toBeVisible();
  await again(page).focus();
  await page.clock.runFor(4999);
  await expect(toast(page)).toBeVisible();
  await page.clock.runFor(1);
  await expect(toast(page)).toBeHidden();
});

test('a toast stays while the pointer is on it, though the focus has left', async ({ page }) => {
  await toast(page).hover();
  await close(page).focus();
  await again(page).focus();
  await page.clock.runFor(20_000);
  await expect(toast(page)).toBeVisible();
});

test('a toast that is closed by keyboard gives the focus back', async ({ page }) => {
  await again(page).focus();
  await close(page).focus();
  await page.keyboard.press('Enter');
  await expect(toast(page)).toBeHidden();
  await expect(again(page)).toBeFocused();
});
