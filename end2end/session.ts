/**
 * Creates sessions through the program's own actions, and puts them into the browser: for tests that start after the
 * link. `tests/journey.spec.ts` and the tests of the steps go through the pages instead.
 */
import { expect, type APIResponse, type Page } from '@playwright/test';
import { ADMIN, BANKS, CPF, type Client } from './client.ts';

/** The progress of the session: link opened, consent given, bank form saved, or account linked, too. */
export type Done = 'entered' | 'consented' | 'bank chosen' | 'linked';

const BANK = BANKS.find(({ name }) => name.startsWith('Itaú'))?.code;

/** Gives the browser of this page a session of this client, which replaces any earlier one. */
export async function startSession(page: Page, client: Client, done: Done): Promise<void> {
  const visit = new Visit(page);
  await visit.act('validate_token', { query: `?token=${client.token}` });
  if (done !== 'entered') {
    await visit.act('accept_consent', { session: await visit.session(), text: await visit.consentText() });
  }
  if (done === 'bank chosen' || done === 'linked') {
    const form = { bank: BANK, bankName: 'Itaú', name: ADMIN, cpf: CPF };
    await visit.act('save_bank_form', { session: await visit.session(), ...form });
  }
  if (done === 'linked') {
    await visit.act('finish_connect', { session: await visit.session(), itemId: 'an-item' });
  }
  await visit.handOver();
}

/** The calls of successive pages; it passes the cookie itself, which is `Secure`. */
class Visit {
  readonly #page: Page;
  #cookie = '';
  #url = '';
  #session: string | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  async act(action: string, input: Record<string, unknown>): Promise<void> {
    const headers = { cookie: this.#cookie, 'sec-fetch-site': 'same-origin' };
    this.#keep(await this.#page.request.post(`/api/${action}`, { headers, data: { input } }));
  }

  /** The id of the session, which is in every document of the session. */
  async session(): Promise<string> {
    if (this.#session === undefined) {
      const document = await this.#page.request.get('/cancel/confirm', { headers: { cookie: this.#cookie } });
      this.#session = /"session":"(\w+)"/.exec(await document.text())?.[1] ?? '';
      expect(this.#session).not.toBe('');
    }
    return this.#session;
  }

  /** By which the consent names its text. */
  async consentText(): Promise<string> {
    const document = await this.#page.request.get('/integration/widget', { headers: { cookie: this.#cookie } });
    return /name="text" value="([\w-]+)"/.exec(await document.text())?.[1] ?? '';
  }

  async handOver(): Promise<void> {
    const [name = '', value = ''] = this.#cookie.split('=', 2);
    const kind = { secure: true, httpOnly: true, sameSite: 'Lax' } as const;
    await this.#page.context().addCookies([{ name, value, url: this.#url, ...kind }]);
  }

  #keep(response: APIResponse): void {
    expect(response.status(), response.url()).toBe(200);
    // The browser accepts a `Secure` cookie for https only, but sends it to loopback over http, too.
    this.#url = new URL(response.url()).origin.replace('http:', 'https:');
    this.#cookie = /^[^;]+/.exec(response.headers()['set-cookie'] ?? '')?.[0] ?? this.#cookie;
  }
}
