/** Every screen in every state that is worth a look, and how to come to it: axe, the ruler and the camera share it. */
import { expect, type Locator, type Page } from '@playwright/test';
import { ACCOUNTS, type Client, type SessionData } from './client.ts';
import type { ConnectStandIn } from './connect-stand-in.ts';
import { demoLink, linkOf } from './fixtures.ts';
import {
  arriveAtAccounts,
  arriveAtBankForm,
  arriveAtConnect,
  chooseBank,
  comesAlive,
  CONSENT,
  embeddedConnect,
  fillAdministrator,
  giveConsent,
} from './person.ts';
import type { Program } from './servers.ts';
import type { Troubles } from './troubles.ts';
import { refusal } from './upstream.ts';
import type { CallName } from './widget-api.ts';

/** What a screen is reached with: the fixtures of the same names. */
export type Scene = {
  page: Page;
  newClient: (data?: Partial<SessionData>) => Client;
  sandbox: Program;
  troubles: Troubles;
  standIn: ConnectStandIn;
};

export type Screen = {
  name: string;
  /** Goes there; returns the client where there is one of our own widget API. */
  go: (scene: Scene) => Promise<Client | undefined>;
  /** What is seen once the screen is there with its data. */
  there: (page: Page) => Locator;
  /** Its address alone brings it back: a reload shows the same. */
  reloads?: true;
  /** The call whose answer it waits for. */
  data?: CallName;
};

const NO_REPLY = 'Houve falha na requisição.';
const DONE = 'Integração concluída com sucesso!';

const title = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { level: 1, name });
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first();
const toast = (page: Page) => page.getByRole('region', { name: 'Avisos' }).getByText(NO_REPLY);

/** A toast stays as long as it is pointed at. */
const holdToast = (page: Page): Promise<void> => toast(page).hover();

export const SCREENS: readonly Screen[] = [
  {
    name: 'entry-waiting',
    there: text('Validando seu acesso…'),
    go: async ({ page, newClient }) => {
      const client = newClient();
      client.hold('validate-token');
      await page.goto(linkOf(client));
      return client;
    },
  },
  {
    name: 'entry-failed',
    there: (page) => page.getByRole('button', { name: 'Tentar de novo' }),
    go: async ({ page, newClient, troubles }) => {
      troubles.expect(/status of 504 .*validate_token/);
      const client = newClient().answer('validate-token', 'drop');
      await page.goto(linkOf(client));
      await holdToast(page);
      return client;
    },
  },
  {
    name: 'consent',
    reloads: true,
    there: (page) => page.getByRole('checkbox'),
    go: async ({ page, newClient }) => {
      const client = newClient();
      await page.goto(linkOf(client));
      return client;
    },
  },
  {
    name: 'consent-ticked',
    there: (page) => page.getByRole('button', { name: CONSENT, disabled: false }),
    go: async ({ page, newClient }) => {
      const client = newClient();
      await page.goto(linkOf(client));
      await page.getByRole('checkbox').check();
      return client;
    },
  },
  {
    name: 'consent-busy',
    there: (page) => page.locator('.button[aria-busy="true"]'),
    go: async ({ page, newClient }) => {
      const client = newClient();
      client.hold('authorize-customer');
      await page.goto(linkOf(client));
      await page.getByRole('checkbox').check();
      await comesAlive(page);
      await page.getByRole('button', { name: CONSENT }).click();
      return client;
    },
  },
  {
    name: 'accounts-loading',
    there: text('Carregando suas contas…'),
    go: async ({ page, newClient }) => {
      const client = newClient();
      client.hold('list-accounts');
      await arriveAtAccounts(page, client);
      return client;
    },
  },
  {
    name: 'accounts-empty',
    reloads: true,
    data: 'list-accounts',
    there: text('Nenhuma conta autorizada.'),
    go: async ({ page, newClient }) => {
      const client = newClient();
      await arriveAtAccounts(page, client);
      return client;
    },
  },
  {
    name: 'accounts',
    reloads: true,
    data: 'list-accounts',
    there: text(ACCOUNTS[1].number),
    go: async ({ page, newClient }) => {
      const client = newClient();
      client.accounts = ACCOUNTS;
      await arriveAtAccounts(page, client);
      return client;
    },
  },
  {
    name: 'accounts-unknown',
    there: (page) => page.getByRole('button', { name: 'Tentar de novo' }),
    go: async ({ page, newClient, troubles }) => {
      troubles.expect(/status of 504 .*list_accounts/);
      const client = newClient().answer('list-accounts', 'drop');
      await arriveAtAccounts(page, client);
      await holdToast(page);
      return client;
    },
  },
  {
    name: 'accounts-stale',
    there: text(/última atualização às/),
    go: async ({ page, newClient, troubles }) => {
      troubles.expect(/status of 504 .*list_accounts/);
      const client = newClient().answer('list-accounts', undefined, 'drop');
      client.accounts = ACCOUNTS;
      await arriveAtAccounts(page, client);
      await holdToast(page);
      return client;
    },
  },
  {
    name: 'accounts-listed',
    reloads: true,
    there: text(ACCOUNTS[1].number),
    go: async ({ page, newClient }) => {
      const client = newClient();
      client.accounts = ACCOUNTS;
      await arriveAtAccounts(page, client);
      await page.goto('/integration/accounts?listar=1');
      return client;
    },
  },
  {
    name: 'bank-form-loading',
    there: (page) => page.getByPlaceholder('Carregando a lista de bancos…'),
    go: async ({ page, newClient }) => {
      const client = newClient();
      client.hold('list-banks');
      await page.goto(linkOf(client));
      await giveConsent(page);
      await page.goto('/integration/select-bank');
      return client;
    },
  },
  {
    name: 'bank-form',
    reloads: true,
    data: 'list-banks',
    there: (page) => page.getByPlaceholder('Selecione o banco'),
    go: async ({ page, newClient }) => {
      const client = newClient();
      await arriveAtBankForm(page, client);
      return client;
    },
  },
  {
    name: 'bank-form-open',
    there: (page) => page.getByRole('listbox'),
    go: async ({ page, newClient }) => {
      const client = newClient();
      await arriveAtBankForm(page, client);
      await page.getByRole('combobox').click();
      await page.getByRole('combobox').press('ArrowDown');
      return client;
    },
  },
  {
    name: 'bank-form-none',
    there: text('Nenhum banco encontrado. Confira o nome ou o código.'),
    go: async ({ page, newClient }) => {
      const client = newClient();
      await arriveAtBankForm(page, client);
      await page.getByRole('combobox').fill('banco de lugar nenhum');
      return client;
    },
  },
  {
    name: 'bank-form-errors',
    there: text('Obrigatório selecionar o banco!'),
    go: async ({ page, newClient }) => {
      const client = newClient();
      await arriveAtBankForm(page, client);
      await page.getByLabel('CPF do administrador').fill('111.111.111-11');
      await page.getByRole('button', { name: 'Avançar' }).click();
      return client;
    },
  },
  {
    name: 'bank-form-filled',
    there: (page) => page.getByRole('button', { name: 'Avançar' }),
    go: async ({ page, newClient }) => {
      const client = newClient();
      await arriveAtBankForm(page, client);
      await chooseBank(page, 'Itaú');
      await fillAdministrator(page);
      return client;
    },
  },
  {
    name: 'bank-form-person',
    reloads: true,
    data: 'list-banks',
    there: text('Preenchido com os seus dados'),
    go: async ({ page, newClient }) => {
      const client = newClient({ client_name: 'Marina Alves', client_cpfcnpj: '41708293523' });
      await arriveAtBankForm(page, client);
      return client;
    },
  },
  {
    name: 'bank-form-failed',
    there: text('Não foi possível carregar a lista de bancos.'),
    go: async ({ page, newClient, troubles }) => {
      troubles.expect(/status of 504 .*list_banks/);
      const client = newClient().answer('list-banks', 'drop');
      await page.goto(linkOf(client));
      await giveConsent(page);
      await page.goto('/integration/select-bank');
      await holdToast(page);
      return client;
    },
  },
  {
    name: 'connect-opening',
    there: text('Preparando a conexão segura com o seu banco…'),
    go: async ({ page, newClient }) => {
      const client = newClient({ widget_type: 'update' });
      client.hold('connect-token');
      await page.goto(linkOf(client));
      return client;
    },
  },
  {
    name: 'connect',
    reloads: true,
    there: (page) => embeddedConnect(page).getByRole('button', { name: 'Conectar com sucesso' }),
    go: async ({ page, sandbox }) => {
      await page.goto(`${sandbox.url}${demoLink('demo-atualizar')}`);
      return undefined;
    },
  },
  {
    name: 'connect-pending',
    there: text('Aguardando a aprovação de outro responsável'),
    go: async ({ page, newClient }) => {
      const client = newClient();
      client.scenario = 'pending';
      await (await arriveAtConnect(page, client)).getByRole('button').click();
      return client;
    },
  },
  {
    name: 'connect-failed',
    there: (page) => page.getByRole('button', { name: 'Tentar de novo' }),
    go: async ({ page, newClient, troubles }) => {
      troubles.expect(/status of 504 .*open_connect/);
      const client = newClient({ widget_type: 'update' }).answer('connect-token', 'drop');
      await page.goto(linkOf(client));
      await holdToast(page);
      return client;
    },
  },
  {
    name: 'success',
    reloads: true,
    data: 'success',
    there: (page) => page.getByRole('button', { name: 'Concluir integração' }),
    go: async ({ page, newClient }) => {
      const client = newClient();
      await page.goto(linkOf(client, '&of-success'));
      return client;
    },
  },
  {
    name: 'success-concluded',
    there: text('Tudo certo. Você já pode fechar esta página.'),
    go: async ({ page, newClient }) => {
      const client = newClient();
      await page.goto(linkOf(client, '&of-success'));
      await title(DONE)(page).waitFor();
      await comesAlive(page);
      await page.getByRole('button', { name: 'Concluir integração' }).click();
      return client;
    },
  },
  {
    name: 'success-unconfirmed',
    there: text('ainda não conseguimos avisar o escritório de contabilidade'),
    go: async ({ page, newClient, troubles }) => {
      troubles.expect(/status of 504 .*confirm_success/);
      const client = newClient().answer('success', 'drop');
      await page.goto(linkOf(client, '&of-success'));
      await holdToast(page);
      return client;
    },
  },
  {
    name: 'cancel-confirm',
    reloads: true,
    data: 'list-accounts',
    there: text(ACCOUNTS[1].number),
    go: async ({ page, newClient }) => {
      const client = newClient({ widget_type: 'cancel' });
      client.accounts = ACCOUNTS;
      await page.goto(linkOf(client));
      return client;
    },
  },
  {
    name: 'cancel-busy',
    there: (page) => page.locator('.button--danger[aria-busy="true"]'),
    go: async ({ page, newClient }) => {
      const client = newClient({ widget_type: 'cancel' });
      client.accounts = ACCOUNTS;
      client.hold('cancel-integrations');
      await page.goto(linkOf(client));
      await text(ACCOUNTS[1].number)(page).waitFor();
      await comesAlive(page);
      await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
      return client;
    },
  },
  {
    name: 'cancel-success',
    reloads: true,
    there: title('Integrações canceladas com sucesso!'),
    go: async ({ page, newClient }) => {
      const client = newClient({ widget_type: 'cancel' });
      await page.goto(linkOf(client));
      await page.getByRole('button', { name: 'Cancelar todas integrações' }).waitFor();
      await comesAlive(page);
      await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
      return client;
    },
  },
  {
    name: 'other-tab',
    there: (page) => page.getByRole('alertdialog'),
    go: async ({ page, newClient }) => {
      const client = newClient();
      await arriveAtAccounts(page, client);
      await text('Nenhuma conta autorizada.')(page).waitFor();
      const other = await page.context().newPage();
      await other.goto(new URL(linkOf(newClient()), page.url()).href);
      await expect(other).toHaveURL(/\/integration\/widget/);
      await other.close();
      return client;
    },
  },
  ...(
    [
      ['token-not-found', 'Token de acesso não informado'],
      ['token-not-exists', 'Token não encontrado'],
      ['token-expired', 'Token expirado'],
      ['token-invalid', 'Problema com o token de acesso'],
      ['link-not-exists', 'Credenciais não encontradas'],
      ['link-not-updated', 'Nenhuma alteração encontrada'],
      ['cookies-blocked', 'Seu navegador não guarda cookies'],
      ['two-sessions', 'Há dois acessos neste navegador'],
    ] as const
  ).map(
    ([type, name]): Screen => ({
      name: `error-${type}`,
      reloads: true,
      there: title(name),
      go: async ({ page }) => {
        await page.goto(`/error/${type}`);
        return undefined;
      },
    }),
  ),
  {
    name: 'error-refused',
    there: title('Token expirado'),
    go: async ({ page, newClient, troubles }) => {
      troubles.expect(/status of 502 .*validate_token/);
      const client = newClient().answer('validate-token', refusal(401, 'Expired token'));
      await page.goto(linkOf(client));
      return client;
    },
  },
  {
    name: 'not-found',
    reloads: true,
    there: title('Página não encontrada'),
    go: async ({ page, troubles }) => {
      troubles.expect(/status of 404 .*nowhere/);
      await page.goto('/nowhere');
      return undefined;
    },
  },
  {
    name: 'accessibility',
    reloads: true,
    there: title('Declaração de acessibilidade'),
    go: async ({ page }) => {
      await page.goto('/acessibilidade');
      return undefined;
    },
  },
];
