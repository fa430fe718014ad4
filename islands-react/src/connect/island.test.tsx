import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { keepItem } from '../page/kept';
import { connectScreens } from '../prerender';
import {
  answerActions,
  CONTEXT,
  mountIsland,
  putContext,
  putHost,
  renderTemplate,
  toasts,
  watchLocation,
} from '../testing/page';
import type { openPluggy } from './pluggy';

vi.mock('./pluggy', () => {
  const succeed: typeof openPluggy = (_frame, _start, emit) => {
    emit({ type: 'succeeded', itemId: 'item-1' });
    return () => {};
  };
  return { openPluggy: succeed };
});

const START = {
  connectToken: 't',
  updateItem: null,
  includeSandbox: true,
  products: ['ACCOUNTS', 'TRANSACTIONS'],
  url: '/sandbox/connect',
};

afterEach(() => {
  document.body.innerHTML = '';
});

async function start(answers: Parameters<typeof answerActions>[0]) {
  const { replace } = watchLocation();
  const calls = answerActions({ open_connect: [{ body: START }], ...answers });
  putContext(CONTEXT);
  const { customerName, bank } = CONTEXT;
  const screen = renderTemplate(connectScreens().opening, { customerName, bank });
  await mountIsland((await import('./index')).mount, putHost(screen));
  return { replace, calls };
}

test('a linked account is kept with the bank’s name until the server has it', async () => {
  await start({ finish_connect: ['offline'] });
  await vi.waitFor(() => expect(toasts()).toHaveLength(1));
  expect(window.vincula.undelivered('s-1')).toEqual({ itemId: 'item-1', bank: 'Itaú', at: expect.any(Number) });
});

test.each([
  ['confirms it', { body: { to: '/integration/success' } }, '/integration/success'],
  [
    'refuses it for good',
    { status: 502, body: { kind: 'navigate', to: '/error/link-not-exists' } },
    '/error/link-not-exists',
  ],
])(
  'an account that an earlier page linked is finished without the bank, and forgotten once the server %s',
  async (_how, answer, to) => {
    keepItem('s-1', { itemId: 'item-0', bank: '', at: 0 });
    const { replace, calls } = await start({ finish_connect: [answer] });
    await vi.waitFor(() => expect(replace).toHaveBeenCalledExactlyOnceWith(to));
    expect(calls).toMatchObject([{ action: 'finish_connect', input: { session: 's-1', itemId: 'item-0' } }]);
    expect(window.vincula.undelivered('s-1')).toBeNull();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  },
);
