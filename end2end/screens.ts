/** Every screen of the product, and how to come to it: for what must hold on all of them. */
import { expect, type Page } from '@playwright/test';
import { ACCOUNTS, type Client, type SessionData } from './client.ts';
import { linkOf } from './fixtures.ts';
import { arriveAtAccounts, arriveAtBankForm, arriveAtConnect, arriveAtUpdate, comesAlive } from './person.ts';

export type Screen = {
  name: string;
  /** Its own part of the browser's title. */
  title: string;
  /** Of the picture beside it; undefined where there is none. */
  image: string | undefined;
  /** What a person who reads by ear begins at: elsewhere a dialog, or nothing while it is loading. */
  focus?: 'heading';
  data?: Partial<SessionData>;
  show: (page: Page, client: Client) => Promise<unknown>;
};

const withAccounts = (client: Client): Client => Object.assign(client, { accounts: ACCOUNTS });

export const SCREENS: readonly Screen[] = [
  {
    name: 'entry',
    title: 'Validando o acesso',
    image: 'default',
    show: async (page, client) => {
      client.hold('validate-token');
      await page.goto(linkOf(client));
      await expect(page.getByText('Validando seu acesso…').last()).toBeVisible();
    },
  },
  {
    name: 'consent',
    title: 'Autorizar acesso',
    image: undefined,
    focus: 'heading',
    show: async (page, client) => {
      await page.goto(linkOf(client));
      await comesAlive(page);
    },
  },
  {
    name: 'accounts, empty',
    title: 'Contas integradas',
    image: 'default',
    focus: 'heading',
    show: async (page, client) => {
      await arriveAtAccounts(page, client);
      await expect(page.getByText('Nenhuma conta autorizada.')).toBeVisible();
    },
  },
  {
    name: 'accounts',
    title: 'Contas integradas',
    image: 'default',
    focus: 'heading',
    show: async (page, client) => {
      await arriveAtAccounts(page, withAccounts(client));
      await expect(page.getByText(ACCOUNTS[1].number)).toBeVisible();
    },
  },
  {
    name: 'bank form',
    title: 'Banco e administrador',
    image: 'select-bank',
    focus: 'heading',
    show: arriveAtBankForm,
  },
  { name: 'Connect', title: 'Conectar ao banco', image: undefined, show: arriveAtConnect },
  {
    name: 'update',
    title: 'Atualizar integração',
    image: undefined,
    data: { widget_type: 'update', link_id: 'link-1' },
    show: arriveAtUpdate,
  },
  {
    name: 'success',
    title: 'Integração concluída',
    image: 'success',
    focus: 'heading',
    show: async (page, client) => {
      await page.goto(linkOf(client, '&of-success'));
      await expect(page).toHaveURL('/integration/success');
      await comesAlive(page);
    },
  },
  {
    name: 'cancellation',
    title: 'Cancelar integrações',
    image: 'cancel',
    focus: 'heading',
    data: { widget_type: 'cancel' },
    show: async (page, client) => {
      await page.goto(linkOf(withAccounts(client)));
      await expect(page.getByText(ACCOUNTS[1].number)).toBeVisible();
      await comesAlive(page);
    },
  },
  {
    name: 'cancelled',
    title: 'Integrações canceladas',
    image: 'success',
    focus: 'heading',
    data: { widget_type: 'cancel' },
    show: async (page, client) => {
      await page.goto(linkOf(client));
      await comesAlive(page);
      await page.getByRole('button', { name: 'Cancelar todas integrações' }).click();
      await expect(page).toHaveURL('/cancel/success');
    },
  },
  {
    name: 'error',
    title: 'Token expirado',
    image: 'cancel',
    focus: 'heading',
    show: (page) => page.goto('/error/token-expired'),
  },
];
