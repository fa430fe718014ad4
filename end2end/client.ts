/** One client of the firm in the test widget API: session data, scripted responses, recorded requests. */
import { randomUUID } from 'node:crypto';
import type { CallName, RecordedRequest, ScriptedResponse } from './widget-api.ts';

/** The session data. */
export type SessionData = {
  client_name: string;
  client_cpfcnpj: string;
  customer_id: number | string;
  customer_name: string;
  widget_account_admin_name: string | null;
  widget_account_admin_cpfcnpj: string | null;
  widget_type: string;
  widget_account_bank: string | null;
  link_id: string | null;
  client_uuid: string | null;
};

export type Account = { bank: string; agency: string; number: string; name: string };

export const FIRM = 'Contábil Horizonte & Filhos';

export const BANKS = [
  { code: '001', name: 'Banco do Brasil S.A.' },
  { code: '033', name: 'Banco Santander (Brasil) S.A.' },
  { code: '104', name: 'Caixa Econômica Federal' },
  { code: '237', name: 'Banco Bradesco S.A.' },
  { code: '260', name: 'Nu Pagamentos S.A.' },
  { code: '341', name: 'Itaú Unibanco S.A.' },
];

export const ACCOUNTS: readonly [Account, Account] = [
  { bank: 'Itaú Unibanco S.A.', agency: '0405', number: '012345-6', name: 'Padaria Pão Quente' },
  { bank: 'Nu Pagamentos S.A.', agency: '0001', number: '7654321-X', name: 'Padaria Pão Quente' },
];

/** Valid, invented. */
export const CPF = '529.982.247-25';
export const ADMIN = 'Ana Souza Lima';

const COMPANY: SessionData = {
  client_name: 'Padaria Pão Quente Ltda',
  client_cpfcnpj: '40.817.256/0001-00',
  customer_id: 4711,
  customer_name: FIRM,
  widget_account_admin_name: null,
  widget_account_admin_cpfcnpj: null,
  widget_type: 'new',
  widget_account_bank: null,
  link_id: null,
  client_uuid: null,
};

export class Client {
  /** Long and unique, so that tests can search for it. */
  readonly token = `tok-${randomUUID()}`;
  /** The cookie's value is percent-encoded, the header's is not. */
  readonly xsrf = { cookie: `x%2B${this.token.slice(-12)}`, header: `x+${this.token.slice(-12)}` };
  readonly data: SessionData;
  readonly calls: RecordedRequest[] = [];
  /** The program's violations of the contract. */
  readonly violations: string[] = [];
  accounts: readonly Account[] = [];
  /** The scenario of Connect: see `connect-stand-in.ts`. */
  scenario = 'success';
  /** Whether a response has set the XSRF cookie. */
  xsrfGiven = false;
  readonly #scripts = new Map<CallName, (ScriptedResponse | undefined)[]>();
  readonly #gates = new Map<CallName, Promise<void>>();

  constructor(data: Partial<SessionData>) {
    this.data = { ...COMPANY, client_uuid: randomUUID(), ...data };
  }

  get connectToken(): string {
    return `${this.scenario}.connect-${this.token.slice(-12)}`;
  }

  /** Scripts the responses to a call, in order; the last one repeats. `undefined` is the usual response. */
  respond(call: CallName, ...responses: (ScriptedResponse | undefined)[]): this {
    this.#scripts.set(call, responses);
    return this;
  }

  /** Holds back the responses to a call until the returned function is called. */
  hold(call: CallName): () => void {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#gates.set(call, gate);
    return () => {
      this.#gates.delete(call);
      release();
    };
  }

  released(call: CallName): Promise<void> {
    return this.#gates.get(call) ?? Promise.resolve();
  }

  responseTo(call: CallName): ScriptedResponse {
    const script = this.#scripts.get(call);
    const next = script !== undefined && script.length > 1 ? script.shift() : script?.[0];
    const response = next ?? this.#usual(call);
    if (typeof response === 'object' && 'headers' in response) this.xsrfGiven = true;
    return response;
  }

  /** The requests of one call. */
  requestsOf(call: CallName): RecordedRequest[] {
    return this.calls.filter((recorded) => recorded.call === call);
  }

  /** The calls in order, without the polls of the accounts. */
  get callSequence(): CallName[] {
    return this.calls.map(({ call }) => call).filter((call) => call !== 'list-accounts');
  }

  /** The log calls in order, each with its `data_log` parsed. */
  get log(): { type: unknown; status: unknown; data: unknown }[] {
    return this.requestsOf('log').map(({ body }) => {
      const { type, status, data_log } = body as Record<string, unknown>;
      return { type, status, data: typeof data_log === 'string' ? (JSON.parse(data_log) as unknown) : undefined };
    });
  }

  #usual(call: CallName): ScriptedResponse {
    const headers = { 'set-cookie': `XSRF-TOKEN=${this.xsrf.cookie}; Path=/; SameSite=Lax` };
    const response = { json: { data: this.#dataOf(call), meta: { status: 200, message: 'OK' } } };
    return call === 'validate-token' ? { ...response, headers } : response;
  }

  #dataOf(call: CallName): unknown {
    switch (call) {
      case 'validate-token':
        return this.data;
      case 'list-accounts':
        return this.accounts;
      case 'list-banks':
        return BANKS;
      case 'connect-token':
        return this.connectToken;
      default:
        return null;
    }
  }
}
