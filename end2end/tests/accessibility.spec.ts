/** What holds on every screen for people with other senses and other hands (ux.md; WCAG 2.2 AA). */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { FIRM } from '../client.ts';
import { installClock } from '../clock.ts';
import { expect, linkOf, test } from '../fixtures.ts';
import { arriveAtBankForm, chooseBank, comesAlive, CONSENT, fillAdministrator } from '../person.ts';
import { SCREENS } from '../screens.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds; Pluggy's own pages are not ours to judge. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).exclude('iframe').analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

for (const { name, title, data, show } of SCREENS) {
  test(`${name}: axe finds nothing, the title is its own, one heading says where one is`, async ({
    page,
    newClient,
  }) => {
    const client = newClient(data);
    await show(page, client);
    await expect(page).toHaveTitle(new RegExp(`^${title} · (Vincula|${FIRM})$`));
    // Under Connect's dialog it is out of reach, but there.
    await expect(page.locator('h1:not([hidden] *)')).toHaveCount(1);
    expect(await findings(page)).toEqual([]);
  });
}

for (const name of ['consent', 'accounts', 'bank form', 'success', 'cancellation', 'cancelled', 'error']) {
  test(`${name}: the heading takes the focus`, async ({ page, newClient }) => {
    const screen = SCREENS.find((one) => one.name === name);
    if (screen === undefined) throw new Error(name);
    await screen.show(page, newClient(screen.data));
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });
}

test('the bank form with its list open, and with its errors: axe finds nothing', async ({ page, newClient }) => {
  await arriveAtBankForm(page, newClient());
  await page.getByRole('combobox').click();
  await expect(page.getByRole('listbox')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Avançar' }).click();
  await expect(page.getByText('CPF do administrador da conta bancária!')).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('the card of a Connect that does not open: axe finds nothing', async ({ page, newClient, standIn, troubles }) => {
  troubles.expect(/Failed to render <PluggyConnect \/>/);
  standIn.outage = 'silent';
  await installClock(page);
  await arriveAtBankForm(page, newClient());
  await chooseBank(page, 'Bradesco');
  await fillAdministrator(page);
  await page.getByRole('button', { name: 'Avançar' }).click();
  await expect.poll(() => standIn.openings).toBe(1);
  await page.clock.fastForward(20_000);
  await expect(page.getByRole('button', { name: 'Tentar de novo' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('a toast, and the notice of another tab: axe finds nothing', async ({ page, context, newClient, troubles }) => {
  troubles.expect(/status of 504 .*accept_consent/, /status of 409 .*accept_consent/);
  await page.goto(linkOf(newClient().answer('authorize-customer', 'drop')));
  await comesAlive(page);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText('Houve falha na requisição.')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  const other = await context.newPage();
  await other.goto(linkOf(newClient()));
  await expect(other).toHaveURL('/integration/widget');
  await other.close();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('a page that does not exist, and the accessibility statement: axe finds nothing', async ({ page, troubles }) => {
  troubles.expect(/status of 404/);
  await page.goto('/nothing-here');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('link', { name: 'Acessibilidade' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Declaração de acessibilidade');
  expect(await findings(page)).toEqual([]);
});

test('the first stop of the keyboard is the way to the content', async ({ page }) => {
  await page.goto('/error/token-expired');
  const skip = page.getByRole('link', { name: 'Ir para o conteúdo' });
  // The heading has the focus; one step back from it on this page is the first stop.
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('Shift+Tab');
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await skip.press('Enter');
  await expect(page).toHaveURL('/error/token-expired#conteudo');
});

for (const screen of ['consent', 'accounts', 'bank form', 'cancellation', 'success']) {
  test(`${screen}: everything to press is at least 44 pixels high`, async ({ page, newClient }) => {
    const { show, data } = SCREENS.find(({ name }) => name === screen) ?? {};
    if (show === undefined) throw new Error(screen);
    await show(page, newClient(data));
    const targets = page.locator('main').locator('button:visible, a:visible, input[type=text]:visible');
    const low = await targets.evaluateAll((elements) =>
      elements
        .filter((element) => element.getBoundingClientRect().height < 43.5)
        .map((element) => `${element.textContent} ${element.getBoundingClientRect().height}`),
    );
    expect(low).toEqual([]);
  });
}
