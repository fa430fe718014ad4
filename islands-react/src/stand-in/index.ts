/**
 * The stand-in for Pluggy Connect in the embedded sandbox: one page, the SDK's real protocol (zoid), no bank. Its texts are
 * not the product's, and so not in `messages.ts`.
 */
import { create } from 'zoid/dist/zoid.frame.js';

/** What the SDK passes to its child page: data and callbacks across windows, which return promises. */
type Host = {
  connectToken: string;
  includeSandbox: boolean;
  updateItem?: string | null;
  openFinanceParameters?: { cpf?: string; cnpj?: string };
  /** The connector of the bank that was chosen before. */
  selectedConnectorId?: number;
  /** The only types of connectors to list; absent: all. */
  connectorTypes?: string[];
  theme: 'light' | 'dark';
  onSuccessProp?: (data: object) => unknown;
  onErrorProp?: (data: object) => unknown;
  onEventProp?: (data: object) => unknown;
  close: () => unknown;
};

declare global {
  interface Window {
    /** Set by zoid's handshake, if a host has opened the page. */
    xprops?: Host;
  }
}

const MARK = '<p class="stand-in__mark">Ambiente de demonstração — nenhum banco real</p>';
const ORPHAN = '<p class="stand-in__text">Esta página só funciona dentro da Vincula.</p>';
const CARD = `<div class="stand-in__card">
<h1 class="stand-in__title">Como o banco deve responder?</h1>
<dl class="stand-in__facts">${Object.entries({
  bank: 'Banco escolhido',
  types: 'Conectores listados',
  cpf: 'CPF preenchido',
  cnpj: 'CNPJ preenchido',
  'update-item': 'Item a atualizar',
  'include-sandbox': 'Conectores de teste',
})
  .map(
    ([fact, label]) => `<dt class="stand-in__label">${label}</dt><dd class="stand-in__value" data-fact="${fact}"></dd>`,
  )
  .join('')}</dl>
<div class="stand-in__choices">
<button class="stand-in__choice" type="button" data-kind="primary">Conectar com sucesso</button>
<button class="stand-in__choice" type="button" data-kind="plain">Recusar no banco (erro)</button>
<button class="stand-in__choice" type="button" data-kind="plain">Aguardar outro responsável (aprovação pendente)</button>
<button class="stand-in__choice" type="button" data-kind="quiet">Fechar</button>
</div>
<p class="stand-in__status" role="status"></p>
</div>`;

create({ tag: 'pluggy-connect-widget', url: () => window.location.origin });
const page = document.getElementById('stand-in');
if (page) {
  page.innerHTML = MARK + (window.xprops ? CARD : ORPHAN);
  if (window.xprops) serve(page, window.xprops);
}

function serve(main: HTMLElement, host: Host): void {
  const { connectToken, updateItem = null, selectedConnectorId: connectorId = null, openFinanceParameters } = host;
  document.documentElement.dataset.theme = host.theme === 'dark' ? 'dark' : 'light';
  const status = main.querySelector('.stand-in__status');
  const say = (text: string): void => void status?.replaceChildren(text);
  const fact = (name: string, value: string | null | undefined): void =>
    main.querySelector(`[data-fact=${name}]`)?.replaceChildren(value || 'nenhum');
  fact('bank', connectorId?.toString());
  fact('types', host.connectorTypes?.join(', ') || 'todos');
  fact('cpf', masked(openFinanceParameters?.cpf));
  fact('cnpj', masked(openFinanceParameters?.cnpj));
  fact('update-item', updateItem);
  fact('include-sandbox', host.includeSandbox ? 'sim' : 'não');
  if (connectorId !== null) {
    void request<{ name: string }>(`connectors/${connectorId}`).then((bank) => bank && fact('bank', bank.name));
  }

  const event = (name: string, more: object = {}) =>
    call(host.onEventProp, { event: name, timestamp: Date.now(), ...more });
  /** Up to the login, as Connect reports it: the consent once, then the choice of a bank unless it is chosen already. */
  let hasBegun = false;
  function logIn(): void {
    if (!hasBegun) event('SUBMITTED_CONSENT');
    if (!hasBegun && connectorId === null && updateItem === null) event('SELECTED_INSTITUTION', { connector: null });
    hasBegun = true;
    event('SUBMITTED_LOGIN');
  }

  /** Logs in and connects (or updates) an item of the sandbox; the button is disabled meanwhile. */
  async function connect(button: HTMLButtonElement, awaitsApproval: boolean): Promise<{ id: string } | undefined> {
    button.disabled = true;
    say('Conectando…');
    logIn();
    const body = JSON.stringify({ connectToken, updateItem, connectorId, awaitsApproval });
    const headers = { 'content-type': 'application/json' };
    const answer = await request<{ item: { id: string } }>('items', { method: 'POST', headers, body });
    button.disabled = false;
    if (answer === undefined) say('A demonstração não respondeu. Tente de novo.');
    return answer?.item;
  }

  const acts: ((button: HTMLButtonElement) => unknown)[] = [
    async (button) => {
      const item = await connect(button, false);
      if (item === undefined) return;
      say('Conta conectada.');
      event('LOGIN_SUCCESS', { item });
      event('ITEM_RESPONSE', { item });
      call(host.onSuccessProp, { item });
    },
    () => {
      const message = 'Credenciais inválidas';
      say(message);
      logIn();
      const id = '00000000-0000-4000-8000-000000000000';
      call(host.onErrorProp, { message, data: { item: failed(id, 'LOGIN_ERROR', 'INVALID_CREDENTIALS', message) } });
    },
    async (button) => {
      const connected = await connect(button, true);
      if (connected === undefined) return;
      const message = 'USER_AUTHORIZATION_PENDING';
      const text = 'Aguardando a aprovação de outro responsável no banco.';
      say(text);
      const item = failed(connected.id, 'OUTDATED', message, text);
      event('LOGIN_SUCCESS', { item });
      call(host.onErrorProp, { message, data: { item } });
    },
    () => call(host.close),
  ];
  for (const [at, button] of main.querySelectorAll('button').entries()) {
    button.addEventListener('click', () => acts[at]?.(button));
  }
  // The host gets no key events of this frame, so forward Escape.
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && call(host.close));
}

/** An item in Pluggy's shape whose login failed. */
function failed(id: string, status: string, code: string, message: string): object {
  return { id, status, executionStatus: code, error: { code, message } };
}

/** Calls the host, if it passed the callback. If it is gone, there is nothing to do. */
function call<T extends unknown[]>(callback: ((...data: T) => unknown) | undefined, ...data: T): void {
  void Promise.resolve(callback?.(...data)).catch(() => {});
}

/** What the sandbox answers; undefined if it refuses. */
async function request<T>(path: string, init?: RequestInit): Promise<T | undefined> {
  const response = await fetch(`/sandbox/connect/${path}`, init).catch(() => undefined);
  return response?.ok ? response.json() : undefined;
}

/** Masks a document except for its middle, which QA needs: 123.456.789-09 → ***.456.789-**. */
function masked(document = ''): string {
  const bare = document.replace(/[^0-9A-Za-z]/g, '');
  if (bare.length === 11) return `***.${bare.slice(3, 6)}.${bare.slice(6, 9)}-**`;
  return bare && `${'*'.repeat(Math.max(0, bare.length - 6))}${bare.slice(-6, -2)}**`;
}
