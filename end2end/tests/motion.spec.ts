/** The other tests run with reduced motion; this one checks that animations cause no errors. */
import { expect, linkOf, test } from '../fixtures.ts';
import { arriveAtAccounts, waitForHydration } from '../journey-steps.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('the way to the bank form and back works with motion', async ({ page, newClient }) => {
  await arriveAtAccounts(page, newClient());
  await page.getByRole('link', { name: 'Integrar novo banco' }).click();
  await expect(page.getByRole('combobox')).toBeEditable();
  await page.goBack();
  await expect(page).toHaveURL('/integration/accounts');
  await waitForHydration(page);
  await page.goto(linkOf(newClient(), '&of-success'));
  await expect(page).toHaveURL('/integration/success');
  await waitForHydration(page);
});
