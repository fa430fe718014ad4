import type { PluggyConnectProps } from 'pluggy-connect-sdk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ConnectStart } from '../generated/types';
import { deferred } from '../testing/page';
import { OPEN_TIMEOUT_MS, type PluggyEvent } from './pluggy';

const START: ConnectStart = {
  connectToken: 'token',
  updateItem: null,
  includeSandbox: true,
  products: ['ACCOUNTS', 'TRANSACTIONS'],
  url: '/sandbox/connect',
  cpf: '52998224725',
  cnpj: null,
  selectedConnectorId: null,
  connectorType: null,
};

/** The colour scheme of the system. */
function prefer(scheme: 'light' | 'dark') {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === `(prefers-color-scheme: ${scheme})` }));
}

beforeEach(() => {
  vi.useFakeTimers();
  prefer('light');
});
afterEach(() => {
  vi.useRealTimers();
  document.body.innerHTML = '';
});

/** What the SDK is given. Its callbacks may be called with anything. */
type Props = Record<'onSuccess' | 'onError' | 'onEvent' | 'onClose', (data?: unknown) => void> &
  Pick<PluggyConnectProps, 'updateItem' | 'openFinanceParameters'>;

/** Opens a widget of a fake SDK with the given `init`; `construct` is its constructor. */
async function open(
  init: (container: HTMLElement) => Promise<void> = async () => {},
  start = START,
  construct = (_props: Props) => {},
) {
  const seen: Props[] = [];
  class PluggyConnect {
    init = init;
    constructor(props: Props) {
      seen.push(props);
      construct(props);
    }
  }
  vi.doMock('pluggy-connect-sdk', () => ({ PluggyConnect }));
  const frame = document.createElement('div');
  document.body.append(frame);
  const events: PluggyEvent[] = [];
  const { openPluggy } = await import('./pluggy');
  const close = openPluggy(frame, start, (one) => events.push(one));
  await vi.dynamicImportSettled();
  const props = seen[0];
  if (props === undefined) throw new Error('not opened');
  return { close, frame, events, props };
}

/** The events of a widget that does not open. */
const failure = (message: string) => [{ type: 'error', message, itemId: null, pending: false }, { type: 'failed' }];

test('starts the SDK with what the server said, in a container of its own', async () => {
  const init = vi.fn(async (_container: HTMLElement) => {});
  const { props, events, frame } = await open(init);
  expect(props).toMatchObject({
    connectToken: 'token',
    includeSandbox: true,
    products: ['ACCOUNTS', 'TRANSACTIONS'],
    url: '/sandbox/connect',
    language: 'pt',
    theme: 'light',
    openFinanceParameters: { cpf: '52998224725' },
    timeout: 20_000,
  });
  for (const absent of ['updateItem', 'selectedConnectorId', 'connectorTypes'])
    expect(props).not.toHaveProperty(absent);
  expect(props.openFinanceParameters).not.toHaveProperty('cnpj');
  expect(init.mock.calls[0]?.[0]).toBe(frame.firstElementChild);
  expect(events).toEqual([{ type: 'opened' }]);
});

test('an update names its item', async () => {
  const { props } = await open(undefined, { ...START, updateItem: 'link-1', cnpj: '12ABC34501DE35' });
  expect(props.updateItem).toBe('link-1');
  expect(props.openFinanceParameters).toEqual({ cpf: '52998224725', cnpj: '12ABC34501DE35' });
});

test('opens at the chosen bank, lists one type of connectors, and follows the colour scheme', async () => {
  prefer('dark');
  const { props } = await open(undefined, { ...START, selectedConnectorId: 612, connectorType: 'BUSINESS_BANK' });
  expect(props).toMatchObject({ selectedConnectorId: 612, connectorTypes: ['BUSINESS_BANK'], theme: 'dark' });
});

test('the frame that the SDK showed while it opened is hidden from screen readers, the bank is not', async () => {
  const { frame } = await open(async (container) => {
    const frame = (name: string) => `<iframe title="Pluggy" name="${name}_pluggy_connect_widget__"></iframe>`;
    container.innerHTML = frame('__zoid_prerender_frame') + frame('__zoid_');
  });
  const [dead, bank] = frame.querySelectorAll('iframe');
  expect(dead).toHaveAttribute('aria-hidden', 'true');
  expect(dead).toHaveAttribute('tabindex', '-1');
  expect(bank).not.toHaveAttribute('aria-hidden');
});

test('success is the id of the item; a success without one is none', async () => {
  const { props, events } = await open();
  for (const data of [undefined, {}, { item: {} }, { item: { id: 7 } }]) props.onSuccess(data);
  props.onSuccess({ item: { id: 'item-1', extra: true } });
  expect(events.slice(1)).toEqual([{ type: 'succeeded', itemId: 'item-1' }]);
});

test('errors are emitted and leave the widget open', async () => {
  const { props, events, frame } = await open();
  props.onError({ message: 'Credenciais inválidas', data: { item: { id: 'item-1' } } });
  props.onError(undefined);
  expect(events.slice(1)).toEqual([
    { type: 'error', message: 'Credenciais inválidas', itemId: 'item-1', pending: false },
    { type: 'error', message: 'unknown', itemId: null, pending: false },
  ]);
  expect(frame.childElementCount).toBe(1);
});

test.each([
  { message: 'USER_AUTHORIZATION_PENDING' },
  { message: 'x', code: 'USER_AUTHORIZATION_PENDING' },
  { message: 'x', data: { item: { id: 'i', executionStatus: 'USER_AUTHORIZATION_PENDING' } } },
  { message: 'x', data: { item: { id: 'i', error: { code: 'USER_AUTHORIZATION_PENDING' } } } },
])('a waiting approval is recognised in %j', async (error) => {
  const { props, events } = await open();
  props.onError(error);
  expect(events.at(-1)).toMatchObject({ type: 'error', pending: true });
});

test('closing by the user is emitted once and leaves nothing behind', async () => {
  const { props, events, frame } = await open();
  props.onClose();
  props.onClose();
  expect(events.slice(1)).toEqual([{ type: 'closed' }]);
  expect(frame).toBeEmptyDOMElement();
});

test('closing by us is not emitted, but a success that comes after it is', async () => {
  const { close, props, events, frame } = await open();
  close();
  props.onClose();
  expect(frame).toBeEmptyDOMElement();
  props.onSuccess({ item: { id: 'item-1' } });
  expect(events.slice(1)).toEqual([{ type: 'succeeded', itemId: 'item-1' }]);
});

test('a child that never answers is given up after 20 seconds and taken away', async () => {
  const { events, frame } = await open(() => deferred<void>().promise);
  await vi.advanceTimersByTimeAsync(OPEN_TIMEOUT_MS - 1);
  expect(events).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(events).toEqual(failure('no answer in 20000 ms'));
  expect(frame).toBeEmptyDOMElement();
});

test('an SDK that never loads is given up too', async () => {
  const events: PluggyEvent[] = [];
  const { openPluggy } = await import('./pluggy');
  openPluggy(document.createElement('div'), START, (one) => events.push(one));
  vi.advanceTimersByTime(OPEN_TIMEOUT_MS);
  expect(events).toEqual(failure('no answer in 20000 ms'));
});

test('a rejected opening, and a rejection after the timeout, are one failure', async () => {
  const rejection = deferred<void>();
  const { events } = await open(async () => {
    await rejection.promise;
    throw new Error('blocked');
  });
  rejection.settle();
  await vi.advanceTimersByTimeAsync(OPEN_TIMEOUT_MS);
  expect(events).toEqual(failure('blocked'));
});

test('a constructor that throws is a failure as well', async () => {
  const { events } = await open(undefined, START, () => {
    throw new TypeError('connectToken must be a string');
  });
  expect(events).toEqual(failure('connectToken must be a string'));
});

test('an opened widget is not timed out', async () => {
  const { events } = await open();
  await vi.advanceTimersByTimeAsync(OPEN_TIMEOUT_MS * 10);
  expect(events).toEqual([{ type: 'opened' }]);
});

test('styles made while opening get the nonce of the page, and only those', async () => {
  const script = document.createElement('script');
  script.setAttribute('nonce', 'n-1');
  document.body.append(script);
  const original = document.createElement;
  const made: HTMLElement[] = [];
  await open(async () => {
    made.push(document.createElement('style'), document.createElement('div'));
  });
  expect(made.map(({ nonce }) => nonce ?? '')).toEqual(['n-1', '']);
  expect(document.createElement).toBe(original);
  await open(async () => {
    throw new Error('blocked');
  });
  expect(document.createElement).toBe(original);
});

const stepsOf = (events: PluggyEvent[]) => events.filter((event) => event.type === 'step');

test('every event that counts is a step of the funnel, and no other event is one', async () => {
  const { props, events } = await open(undefined, { ...START, selectedConnectorId: 601 });
  for (const event of [
    'SELECTED_INSTITUTION',
    'SUBMITTED_CONSENT',
    'SUBMITTED_LOGIN',
    'LOGIN_SUCCESS',
    'SUBMITTED_MFA',
    'LOGIN_MFA_SUCCESS',
  ])
    props.onEvent({ event, timestamp: 1 });
  const steps = stepsOf(events).map(({ step }) => step);
  expect(steps).toEqual(['institution', 'consent', 'login', 'login_accepted', 'mfa', 'mfa_accepted']);
  const others = ['LOGIN_STEP_COMPLETED', 'ITEM_RESPONSE', 'constructor', '__proto__', '', 1, null, undefined];
  for (const event of others) props.onEvent({ event });
  for (const payload of [undefined, null, 'SUBMITTED_LOGIN', []]) props.onEvent(payload);
  expect(stepsOf(events)).toHaveLength(6);
});

test('a step names the connector that was chosen, before or inside Connect', async () => {
  const { props, events } = await open(undefined, { ...START, selectedConnectorId: 601 });
  const login = { event: 'SUBMITTED_LOGIN' };
  props.onEvent(login);
  props.onEvent({ event: 'SELECTED_INSTITUTION', connector: { id: 612, name: 'Nubank' } });
  props.onEvent(login);
  for (const connector of [null, { id: '612' }, { id: -1 }, { id: 1.5 }, { id: 2 ** 32 }, 612]) {
    props.onEvent({ event: 'SELECTED_INSTITUTION', connector });
    expect(events.at(-1)).toEqual({ type: 'step', step: 'institution', connector: null });
  }
  const connectors = stepsOf(events).map(({ connector }) => connector);
  expect(connectors.slice(0, 3)).toEqual([601, 612, 612]);
});
