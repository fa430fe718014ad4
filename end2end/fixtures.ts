/** What every test starts with. Importing `test` from here is what makes a test strict. */
import { test as base, expect } from '@playwright/test';
import type { Client, SessionData } from './client.ts';
import { useClients } from './clients.ts';
import { ConnectStandIn } from './connect-stand-in.ts';
import { type Program, startProduction, startSandbox } from './servers.ts';
import { Troubles } from './troubles.ts';
import { startUpstream, type Upstream } from './upstream.ts';

export { expect };

export type Settings = {
  /** Which instance of the program `page` talks to: the one before our own widget API, or the one on its sandbox. */
  mode: 'production' | 'sandbox';
  /** Whether Connect's page is there from the start. Elsewhere it is not: intercepting requests turns the cache off. */
  meetsConnect: boolean;
};

type Fixtures = {
  troubles: Troubles;
  /** Makes clients of the firm whose links work on the production instance. */
  newClient: (data?: Partial<SessionData>) => Client;
  /** The page at https://connect.pluggy.ai, to be put out of order. */
  standIn: ConnectStandIn;
};

type Servers = { upstream: Upstream; production: Program; sandbox: Program };

export const test = base.extend<Settings & Fixtures, Servers>({
  mode: ['production', { option: true }],
  meetsConnect: [false, { option: true }],

  upstream: [
    async ({}, use) => {
      const upstream = await startUpstream();
      await use(upstream);
      await upstream.stop();
    },
    { scope: 'worker' },
  ],

  production: [
    async ({ upstream }, use) => {
      const program = await startProduction(upstream.url);
      await use(program);
      await program.stop();
    },
    { scope: 'worker' },
  ],

  sandbox: [
    async ({}, use) => {
      const program = await startSandbox();
      await use(program);
      await program.stop();
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ mode, production, sandbox }, use) => {
    await use(mode === 'sandbox' ? sandbox.url : production.url);
  },

  troubles: async ({}, use) => {
    await use(new Troubles());
  },

  // Every page is watched; a test without a page costs no browser context.
  context: async ({ context, troubles, meetsConnect }, use) => {
    await troubles.watch(context);
    if (meetsConnect) await ConnectStandIn.at(context);
    await use(context);
    expect(troubles.left(), 'what the browser complained about').toEqual([]);
  },

  standIn: async ({ context }, use) => {
    await use(await ConnectStandIn.at(context));
  },

  newClient: async ({ upstream, production }, use) => useClients(upstream, production, use),
});

/** Without JavaScript the browser refuses the modules that the page preloads. */
export const SCRIPT_LEFT_OUT = /^request failed: .*\.js csp$/;

/** The link that the firm sends. */
export function linkOf(owner: Client | string, extra = ''): string {
  const token = typeof owner === 'string' ? owner : owner.token;
  return `/?token=${encodeURIComponent(token)}${extra}`;
}

/** A fresh copy of a link of the sandbox's cast. */
export function demoLink(name: string, extra = ''): string {
  return linkOf(`${name}.${Math.random().toString(36).slice(2)}`, extra);
}
