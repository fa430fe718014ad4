/** `/integration/widget` before the consent (spec §2, "Authorization screen"). */
import { FIRM } from '../client.ts';
import { installClock, stopClock } from '../clock.ts';
import { expect, linkOf, test } from '../fixtures.ts';
import { comesAlive, CONSENT } from '../person.ts';
import { refusal } from '../upstream.ts';

test('the screen names the firm, the five steps, and the data that is shared', async ({ page, newClient }) => {
  const client = newClient();
  await page.goto(linkOf(client));
  await expect(page.getByRole('heading', { level: 1 })).toContainText(FIRM);
  await expect(page).toHaveTitle(`Autorizar acesso · ${FIRM}`);
  const [steps, data] = [page.getByRole('list').first(), page.getByRole('list').nth(1)];
  await expect(steps.getByRole('listitem')).toHaveText([
    /1.*[Aa]utorize.*contador.*extratos.*operadora/,
    /2.*[Ss]elecione o banco/,
    /3.*nome.*CPF.*administrador/,
    /4.*agência.*conta/,
    /5.*[Cc]onfirme/,
  ]);
  await expect(data.getByRole('listitem')).toHaveText([
    'Instituição financeira',
    'Número da agência',
    'Número da conta corrente',
    'Dados de extrato bancário',
  ]);
  await expect(page.getByText(/acesso somente de leitura aos extratos/)).toBeVisible();
  await expect(page.getByText(client.data.client_name)).toBeVisible();
});

test('names with markup in them are shown as they are @any-size', async ({ page, newClient }) => {
  const customer_name = '<img src=x onerror=alert(1)> & "Filhos" </script>';
  await page.goto(linkOf(newClient({ customer_name, client_name: '<b>Padaria</b>' })));
  await expect(page.getByRole('heading', { level: 1 })).toContainText(customer_name);
  await expect(page.getByText('<b>Padaria</b>')).toBeVisible();
  await expect(page).toHaveTitle(`Autorizar acesso · ${customer_name}`);
});

test('the button is disabled until the box is ticked, and says why', async ({ page, newClient }) => {
  await page.goto(linkOf(newClient()));
  const [box, button] = [page.getByRole('checkbox'), page.getByRole('button', { name: CONSENT })];
  const why = page.getByText('Marque a caixa para continuar');
  await expect(box).not.toBeChecked();
  await expect(button).toBeDisabled();
  await expect(why).toBeVisible();
  await box.check();
  await expect(button).toBeEnabled();
  await expect(why).toBeHidden();
  await box.uncheck();
  await expect(button).toBeDisabled();
});

test('while it is sent the button is busy and takes no second click', async ({ page, newClient }) => {
  const client = newClient({ customer_id: '0042' });
  await page.goto(linkOf(client));
  const release = client.hold('authorize-customer');
  await page.getByRole('checkbox').check();
  const button = page.getByRole('button', { name: CONSENT });
  await button.click();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await expect(button.locator('[class*=spinner]')).toBeVisible();
  await button.click({ force: true });
  await button.press('Enter');
  release();
  await expect(page).toHaveURL('/integration/accounts');
  expect(client.of('authorize-customer').map(({ body }) => body)).toEqual([{ customer_id: '0042' }]);
});

test('a wait of 8 seconds is explained', async ({ page, newClient }) => {
  const client = newClient();
  await installClock(page);
  await page.goto(linkOf(client));
  const release = client.hold('authorize-customer');
  await page.getByRole('checkbox').check();
  await comesAlive(page);
  await stopClock(page);
  await page.getByRole('button', { name: CONSENT }).click();
  await expect.poll(() => client.of('authorize-customer')).toHaveLength(1);
  const slow = page.getByText(/Está demorando mais que o normal/);
  await page.clock.runFor(7900);
  await expect(slow).toBeHidden();
  await page.clock.runFor(100);
  await expect(slow).toBeVisible();
  release();
  await expect(page).toHaveURL('/integration/accounts');
});

test('the accounts take the place of the consent in the history', async ({ page, newClient }) => {
  await page.goto('/error/token-expired');
  await page.goto(linkOf(newClient()));
  await comesAlive(page);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page).toHaveURL('/integration/accounts');
  await page.goBack();
  await expect(page).toHaveURL('/error/token-expired');
});

for (const { answer, to } of [
  { answer: undefined, to: '/integration/accounts' },
  { answer: refusal(401, 'Expired token'), to: '/error/token-expired' },
]) {
  test(`a consent before React has arrived leads to ${to}, in its place, too`, async ({ page, newClient, troubles }) => {
    if (answer !== undefined) troubles.expect(/status of 502/);
    const client = newClient().answer('authorize-customer', answer);
    let arrive = (): void => {};
    const late = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route('**/islands/*.js', async (route) => {
      await late;
      await route.fallback();
    });
    await page.goto('/error/link-not-exists');
    await page.goto(linkOf(client));
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: CONSENT }).click();
    await expect(page).toHaveURL(to);
    arrive();
    expect(client.of('authorize-customer')).toHaveLength(1);
    await page.goBack();
    await expect(page).toHaveURL('/error/link-not-exists');
  });
}

test('the consent is asked for once: the link opened again leads to the accounts @any-size', async ({
  page,
  newClient,
}) => {
  const client = newClient();
  await page.goto(linkOf(client));
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: CONSENT }).click();
  await expect(page).toHaveURL('/integration/accounts');
  await page.goto(linkOf(client));
  await expect(page).toHaveURL('/integration/accounts');
  await page.goto('/integration/widget');
  await expect(page).toHaveURL('/integration/select-bank');
  expect(client.of('authorize-customer')).toHaveLength(1);
});
