import { describe, expect, test } from 'vitest';
import { type Answer, answerActions, deferred, toasts, watchLocation } from '../testing/page';
import { keepItem } from './kept';

const ITEM = { itemId: 'item-1', bank: 'Itaú', at: 1_700_000_000_000 };
const { deliver, undelivered } = {
  deliver: (session: string) => window.vincula.deliver(session),
  undelivered: (session: string) => window.vincula.undelivered(session),
};

test('an item is kept for its session alone', () => {
  keepItem('s-1', ITEM);
  expect(undelivered('s-1')).toEqual(ITEM);
  expect(undelivered('s-2')).toBeNull();
  sessionStorage.setItem('vincula-item:s-3', 'null');
  sessionStorage.setItem('vincula-item:s-4', '{');
  for (const session of ['s-3', 's-4']) expect(undelivered(session)).toBeNull();
});

describe('a delivery', () => {
  test('of nothing asks nothing', async () => {
    const calls = answerActions({});
    expect(await deliver('s-1')).toBe(false);
    expect(calls).toEqual([]);
  });

  test('that the server confirms forgets the item and stays on the page', async () => {
    const { replace } = watchLocation();
    const calls = answerActions({ finish_connect: [{ body: { to: '/integration/success' } }] });
    keepItem('s-1', ITEM);
    expect(await deliver('s-1')).toBe(true);
    expect(calls).toMatchObject([
      { action: 'finish_connect', input: { session: 's-1', itemId: 'item-1' }, init: { keepalive: true } },
    ]);
    expect(undelivered('s-1')).toBeNull();
    expect(replace).not.toHaveBeenCalled();
  });

  test('is made once at a time', async () => {
    const answer = deferred<{ body: unknown }>();
    const calls = answerActions({ finish_connect: [answer.promise] });
    keepItem('s-1', ITEM);
    const [first, second] = [deliver('s-1'), deliver('s-1')];
    answer.settle({ body: { to: '/integration/success' } });
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(calls).toHaveLength(1);
    expect(await deliver('s-1')).toBe(false);
  });

  test.each<[string, Answer, { goes: string | null; keeps: boolean }]>([
    ['without an answer', 'offline', { goes: null, keeps: true }],
    ['of a replaced session', { status: 409, body: { kind: 'other_tab' } }, { goes: null, keeps: true }],
    ['without a session', { status: 401, body: { kind: 'navigate', to: '/' } }, { goes: '/', keeps: true }],
    [
      'that is refused',
      { status: 502, body: { kind: 'navigate', to: '/error/link-not-exists' } },
      { goes: '/error/link-not-exists', keeps: false },
    ],
  ])('%s', async (_name, answer, { goes, keeps }) => {
    const { replace } = watchLocation();
    answerActions({ finish_connect: [answer] });
    keepItem('s-1', ITEM);
    expect(await deliver('s-1')).toBe(false);
    expect(replace.mock.calls).toEqual(goes === null ? [] : [[goes]]);
    expect(undelivered('s-1') !== null).toBe(keeps);
    expect(toasts()).toEqual([]);
  });
});

test.each([
  ['consent', 1],
  ['bank-form', 1],
  ['success', 1],
  ['connect', 0],
  ['accounts', 0],
  ['cancel-confirm', 0],
  ['cancel-success', 0],
])('the page %s delivers in the background: %i', async (name, count) => {
  const calls = answerActions({ finish_connect: [{ body: { to: '/integration/success' } }] });
  document.body.dataset.page = name;
  document.body.insertAdjacentHTML('beforeend', '<dialog id="other-tab" data-session="s-1"></dialog>');
  keepItem('s-1', ITEM);
  (await import('./step')).startStep();
  expect(calls.filter(({ action }) => action === 'finish_connect')).toHaveLength(count);
  document.getElementById('other-tab')?.remove();
});
