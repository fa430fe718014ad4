/** The sandbox's stand-in for Pluggy Connect: plain files that the sandbox serves. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

// Tests run in islands-react/ (vitest.config.ts).
const file = (name: string) => readFileSync(`../crates/sandbox/assets/${name}`, 'utf8');
const create = vi.fn();

declare global {
  interface Window {
    xprops?: unknown;
  }
}

/** Listeners of the document outlive a test. */
let listeners: AbortController;

beforeEach(() => {
  create.mockClear();
  listeners = new AbortController();
  const listen = document.addEventListener.bind(document);
  vi.spyOn(document, 'addEventListener').mockImplementation((type: string, act: EventListenerOrEventListenerObject) =>
    listen(type, act, { signal: listeners.signal }),
  );
});
afterEach(() => {
  listeners.abort();
  delete window.xprops;
  delete document.documentElement.dataset.theme;
  document.body.innerHTML = '';
});

function open(): void {
  const [, main = ''] = /(<main[\s\S]*<\/main>)/.exec(file('connect.html')) ?? [];
  document.body.innerHTML = main;
  new Function('zoid', file('connect.js'))({ create });
}

function load(more: object = {}) {
  const props = {
    connectToken: 'token',
    includeSandbox: true,
    updateItem: 'link-1',
    openFinanceParameters: { cpf: '52998224725' },
    onSuccessProp: vi.fn(),
    onErrorProp: vi.fn(),
    onEventProp: vi.fn(),
    close: vi.fn(),
    ...more,
  };
  window.xprops = props;
  open();
  return props;
}

const press = (label: string) => {
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label);
  if (button === undefined) throw new Error(`no button ${label}`);
  button.click();
};
const status = () => document.querySelector('[role=status]')?.textContent;

test('performs the handshake that the SDK expects and shows what it got, the CPF masked', async () => {
  load();
  expect(create).toHaveBeenCalledWith({ tag: 'pluggy-connect-widget', url: expect.any(Function) });
  expect(document.body).toHaveTextContent('Ambiente de demonstração — nenhum banco real');
  const facts = [...document.querySelectorAll('dd')].map(({ textContent }) => textContent);
  expect(facts).toEqual(['nenhum', 'todos', '***.982.247-**', 'nenhum', 'link-1', 'sim']);
  expect(document.documentElement).toHaveAttribute('data-theme', 'light');
  expect(document.body.innerHTML).not.toContain('52998224725');
  expect(document.getElementById('orphan')).not.toBeVisible();
});

/** A sandbox that gives an item. */
function connecting() {
  const fetch = vi.fn(async () => new Response('{"item":{"id":"item-1"}}'));
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

test('success asks the sandbox for an item and calls the host', async () => {
  const fetch = connecting();
  const props = load();
  press('Conectar com sucesso');
  await vi.waitFor(() => expect(props.onSuccessProp).toHaveBeenCalledExactlyOnceWith({ item: { id: 'item-1' } }));
  expect(fetch).toHaveBeenCalledWith(
    '/sandbox/connect/items',
    expect.objectContaining({
      method: 'POST',
      body: '{"connectToken":"token","updateItem":"link-1","connectorId":null,"awaitsApproval":false}',
    }),
  );
  expect(props.onEventProp).toHaveBeenCalledWith(expect.objectContaining({ event: 'LOGIN_SUCCESS' }));
  expect(props.close).not.toHaveBeenCalled();
});

test('the bank that was chosen before is named, and is the one that is connected', async () => {
  const fetch = vi.fn(async (url: string) =>
    url.endsWith('/connectors/260')
      ? new Response('{"name":"Nu Pagamentos S.A."}')
      : new Response('{"item":{"id":"item-1"}}'),
  );
  vi.stubGlobal('fetch', fetch);
  load({ updateItem: null, selectedConnectorId: 260, connectorTypes: ['BUSINESS_BANK'], theme: 'dark' });
  const fact = (name: string) => document.querySelector(`[data-fact=${name}]`)?.textContent;
  await vi.waitFor(() => expect(fact('bank')).toBe('Nu Pagamentos S.A.'));
  expect(fact('types')).toBe('BUSINESS_BANK');
  expect(document.documentElement).toHaveAttribute('data-theme', 'dark');
  press('Conectar com sucesso');
  expect(fetch).toHaveBeenLastCalledWith(
    '/sandbox/connect/items',
    expect.objectContaining({
      body: '{"connectToken":"token","updateItem":null,"connectorId":260,"awaitsApproval":false}',
    }),
  );
});

test('a sandbox that refuses gives no success', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response('', { status: 404 })),
  );
  const props = load({ updateItem: null });
  press('Conectar com sucesso');
  await vi.waitFor(() => expect(status()).toBe('A demonstração não respondeu. Tente de novo.'));
  expect(props.onSuccessProp).not.toHaveBeenCalled();
});

test('error and waiting approval come as errors and stay open, and the sandbox knows what awaits approval', async () => {
  const fetch = connecting();
  const props = load();
  press('Recusar no banco (erro)');
  expect(props.onErrorProp).toHaveBeenLastCalledWith({
    message: 'Credenciais inválidas',
    data: { item: expect.objectContaining({ id: expect.any(String), executionStatus: 'INVALID_CREDENTIALS' }) },
  });
  expect(fetch).not.toHaveBeenCalled();
  press('Aguardar outro responsável (aprovação pendente)');
  await vi.waitFor(() =>
    expect(props.onErrorProp).toHaveBeenLastCalledWith({
      message: 'USER_AUTHORIZATION_PENDING',
      data: { item: expect.objectContaining({ id: 'item-1', executionStatus: 'USER_AUTHORIZATION_PENDING' }) },
    }),
  );
  expect(fetch).toHaveBeenCalledExactlyOnceWith(
    '/sandbox/connect/items',
    expect.objectContaining({
      body: '{"connectToken":"token","updateItem":"link-1","connectorId":null,"awaitsApproval":true}',
    }),
  );
  expect(props.close).not.toHaveBeenCalled();
});

test('tells its steps as Connect does: the consent once, a bank only if none was chosen, each login', async () => {
  const names = (props: { onEventProp: unknown }) =>
    vi.mocked(props.onEventProp as (payload: { event: string }) => void).mock.calls.map(([{ event }]) => event);
  connecting();
  const update = load();
  press('Recusar no banco (erro)');
  press('Aguardar outro responsável (aprovação pendente)');
  const steps = ['SUBMITTED_CONSENT', 'SUBMITTED_LOGIN', 'SUBMITTED_LOGIN', 'LOGIN_SUCCESS'];
  await vi.waitFor(() => expect(names(update)).toEqual(steps));
  const open = load({ updateItem: null });
  press('Recusar no banco (erro)');
  expect(names(open)).toEqual(['SUBMITTED_CONSENT', 'SELECTED_INSTITUTION', 'SUBMITTED_LOGIN']);
});

test('the button and Escape close; callbacks that the host left out are ignored', async () => {
  const props = load({ onErrorProp: undefined, onEventProp: undefined });
  press('Recusar no banco (erro)');
  press('Fechar');
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  expect(props.close).toHaveBeenCalledTimes(2);
});

test('without a host it says so', async () => {
  open();
  expect(document.getElementById('orphan')).toBeVisible();
  expect(document.getElementById('card')).not.toBeVisible();
});

test('documents are masked', async () => {
  load({ openFinanceParameters: { cpf: '529.982.247-25', cnpj: '12ABC34501DE35' } });
  const documents = ['cpf', 'cnpj'].map((name) => document.querySelector(`[data-fact=${name}]`)?.textContent);
  expect(documents).toEqual(['***.982.247-**', '********01DE**']);
});
