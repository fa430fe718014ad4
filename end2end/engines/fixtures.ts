/** Fixtures of the engine tests: one browser per engine, and the program behind TLS. */
import { test as base, expect } from '@playwright/test';
import type { WebDriver } from 'selenium-webdriver';
import type { Client, SessionData } from '../client.ts';
import { useClients } from '../clients.ts';
import { type Program, startProduction, startSandbox } from '../servers.ts';
import { BrowserErrors } from '../browser-errors.ts';
import { startUpstream, type Upstream } from '../upstream.ts';
import { type Engine, startBrowser } from './browsers.ts';
import { type Certificate, newCertificate } from './certificate.ts';
import { startConnect } from './connect.ts';
import { type HttpServer, type RecordingProxy, startProxy } from './proxy.ts';
import { Tab } from './tab.ts';

export { expect };

export type Settings = {
  /** The instance that `tab` opens: with the test widget API over TLS, or with the sandbox over plain HTTP. */
  mode: 'production' | 'sandbox';
};

export type EngineOption = { engine: Engine };

type Fixtures = {
  browserErrors: BrowserErrors;
  /** Makes clients of the firm whose links work on the production instance. */
  newClient: (data?: Partial<SessionData>) => Client;
  tab: Tab;
};

type Servers = {
  driver: WebDriver;
  upstream: Upstream;
  certificate: Certificate;
  connect: HttpServer;
  production: Program;
  secure: RecordingProxy;
  plain: RecordingProxy;
};

export const test = base.extend<Settings & Fixtures, EngineOption & Servers>({
  mode: ['production', { option: true }],

  engine: ['webkit', { option: true, scope: 'worker' }],

  driver: [
    async ({ engine }, use) => {
      const browser = await startBrowser(engine);
      await use(browser.driver);
      await browser.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  certificate: [async ({}, use) => use(newCertificate()), { scope: 'worker' }],

  upstream: [
    async ({}, use) => {
      const upstream = await startUpstream();
      await use(upstream);
      await upstream.stop();
    },
    { scope: 'worker' },
  ],

  connect: [
    async ({ certificate }, use) => {
      const connect = await startConnect(certificate);
      await use(connect);
      await connect.stop();
    },
    { scope: 'worker' },
  ],

  production: [
    async ({ upstream, connect }, use) => {
      const program = await startProduction(upstream.url, { PLUGGY_CONNECT_URL: connect.url });
      await use(program);
      await program.stop();
    },
    { scope: 'worker' },
  ],

  secure: [
    async ({ production, certificate }, use) => {
      const proxy = await startProxy(production.url, certificate);
      await use(proxy);
      await proxy.stop();
    },
    { scope: 'worker' },
  ],

  plain: [
    async ({}, use) => {
      const program = await startSandbox();
      const proxy = await startProxy(program.url);
      await use(proxy);
      await proxy.stop();
      await program.stop();
    },
    { scope: 'worker' },
  ],

  browserErrors: async ({}, use) => use(new BrowserErrors()),

  tab: async ({ driver, mode, secure, plain, browserErrors }, use, info) => {
    const proxy = mode === 'production' ? secure : plain;
    const tab = new Tab(driver, proxy.url);
    await use(tab);
    if (info.errors.length > 0) await info.attach('screen', { body: await tab.picture(), contentType: 'image/png' });
    await tab.leave();
    for (const error of proxy.errors.splice(0)) browserErrors.add(error);
    expect(browserErrors.unexpected(), 'unexpected errors in the browser').toEqual([]);
  },

  newClient: async ({ upstream, production }, use) => useClients(upstream, production, use),
});
