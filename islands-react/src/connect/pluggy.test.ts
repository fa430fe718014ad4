import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ConnectStart } from '../generated/ConnectStart';
import { later } from '../testing/page';
import { OPEN_TIMEOUT_MS, type PluggyNews, pluggyOpener, type SdkProps } from './pluggy';

const START: ConnectStart = {
  connectToken: 'token',
  updateItem: null,
  includeSandbox: true,
  url: '/sandbox/connect',
  cpf: '52998224725',
  cnpj: null,
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  document.body.innerHTML = '';
});

/** Opens a widget of a fake SDK with the given `init`. */
async function open(init: (container: HTMLElement) => Promise<void> = async () => {}, start = START) {
  const seen: SdkProps[] = [];
  class PluggyConnect {
    init = init;
    constructor(props: SdkProps) {
      seen.push(props);
    }
  }
  const frame = document.createElement('div');
  document.body.append(frame);
  const news: PluggyNews[] = [];
  const widget = pluggyOpener(async () => ({ PluggyConnect }))(frame, start, (one) => news.push(one));
  await vi.advanceTimersByTimeAsync(0);
  const props = seen[0];
  if (props === undefined) throw new Error('not opened');
  return { widget, frame, news, props };
}

test('starts the SDK with what the server said, in a container of its own', async () => {
  const init = vi.fn(async (_container: HTMLElement) => {});
  const { props, news, frame } = await open(init);
  expect(props).toMatchObject({
    connectToken: 'token',
    includeSandbox: true,
    url: '/sandbox/connect',
    language: 'pt',
    theme: 'light',
    openFinanceParameters: { cpf: '52998224725' },
    timeout: 20_000,
  });
  expect(props).not.toHaveProperty('updateItem');
  expect(props.openFinanceParameters).not.toHaveProperty('cnpj');
  expect(init.mock.calls[0]?.[0]).toBe(frame.firstElementChild);
  expect(news).toEqual([{ type: 'opened' }]);
});

test('an update names its item', async () => {
  const { props } = await open(undefined, { ...START, updateItem: 'link-1', cnpj: '12ABC34501DE35' });
  expect(props.updateItem).toBe('link-1');
  expect(props.openFinanceParameters).toEqual({ cpf: '52998224725', cnpj: '12ABC34501DE35' });
});

test('success is the id of the item; a success without one is none', async () => {
  const { props, news } = await open();
  for (const data of [undefined, {}, { item: {} }, { item: { id: 7 } }]) props.onSuccess(data);
  props.onSuccess({ item: { id: 'item-1', extra: true } });
  expect(news.slice(1)).toEqual([{ type: 'succeeded', itemId: 'item-1' }]);
});

test('errors are told and leave the widget open', async () => {
  const { props, news, frame } = await open();
  props.onError({ message: 'Credenciais inválidas', data: { item: { id: 'item-1' } } });
  props.onError(undefined);
  expect(news.slice(1)).toEqual([
    { type: 'erred', message: 'Credenciais inválidas', itemId: 'item-1', pending: false },
    { type: 'erred', message: 'unknown', itemId: null, pending: false },
  ]);
  expect(frame.childElementCount).toBe(1);
});

test.each([
  { message: 'USER_AUTHORIZATION_PENDING' },
  { message: 'x', code: 'USER_AUTHORIZATION_PENDING' },
  { message: 'x', data: { item: { id: 'i', executionStatus: 'USER_AUTHORIZATION_PENDING' } } },
  { message: 'x', data: { item: { id: 'i', error: { code: 'USER_AUTHORIZATION_PENDING' } } } },
])('a waiting approval is recognised in %j', async (error) => {
  const { props, news } = await open();
  props.onError(error);
  expect(news.at(-1)).toMatchObject({ type: 'erred', pending: true });
});

test('closing by the person is told once and leaves nothing behind', async () => {
  const { props, news, frame } = await open();
  props.onClose();
  props.onClose();
  expect(news.slice(1)).toEqual([{ type: 'closed' }]);
  expect(frame).toBeEmptyDOMElement();
});

test('closing by us is silent, but a success that comes after it is told', async () => {
  const { widget, props, news, frame } = await open();
  widget.close();
  props.onClose();
  expect(frame).toBeEmptyDOMElement();
  props.onSuccess({ item: { id: 'item-1' } });
  expect(news.slice(1)).toEqual([{ type: 'succeeded', itemId: 'item-1' }]);
});

test('a child that never answers is given up after 20 seconds and taken away', async () => {
  const { news, frame } = await open(() => later<void>().promise);
  await vi.advanceTimersByTimeAsync(OPEN_TIMEOUT_MS - 1);
  expect(news).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(news).toEqual([{ type: 'broken', reason: 'no answer in 20000 ms' }]);
  expect(frame).toBeEmptyDOMElement();
});

test('an SDK that never loads is given up too', async () => {
  const frame = document.createElement('div');
  const news: PluggyNews[] = [];
  pluggyOpener(() => new Promise(() => {}))(frame, START, (one) => news.push(one));
  await vi.advanceTimersByTimeAsync(OPEN_TIMEOUT_MS);
  expect(news).toMatchObject([{ type: 'broken' }]);
});

test('a rejected opening, and a rejection after the timeout, are one failure', async () => {
  const rejection = later<void>();
  const { news } = await open(async () => {
    await rejection.promise;
    throw new Error('blocked');
  });
  rejection.settle();
  await vi.advanceTimersByTimeAsync(OPEN_TIMEOUT_MS);
  expect(news).toEqual([{ type: 'broken', reason: 'blocked' }]);
});

test('a constructor that throws is a failure as well', async () => {
  class PluggyConnect {
    constructor() {
      throw new TypeError('connectToken must be a string');
    }
    async init() {}
  }
  const news: PluggyNews[] = [];
  pluggyOpener(async () => ({ PluggyConnect }))(document.createElement('div'), START, (one) => news.push(one));
  await vi.advanceTimersByTimeAsync(0);
  expect(news).toEqual([{ type: 'broken', reason: 'connectToken must be a string' }]);
});

test('an opened widget is not timed out', async () => {
  const { news } = await open();
  await vi.advanceTimersByTimeAsync(OPEN_TIMEOUT_MS * 10);
  expect(news).toEqual([{ type: 'opened' }]);
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
