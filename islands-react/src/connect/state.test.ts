import { expect, test } from 'vitest';
import type { ConnectStart } from '../generated/types';
import { type ConnectEvent, FIRST, reduce, type State } from './state';

const start: ConnectStart = {
  connectToken: 't',
  updateItem: null,
  includeSandbox: true,
  products: ['ACCOUNTS', 'TRANSACTIONS'],
  url: '/sandbox/connect',
  cpf: null,
  cnpj: null,
  selectedConnectorId: null,
  connectorType: null,
};
const after = (...events: ConnectEvent[]): State => events.reduce(reduce, FIRST);
const started: ConnectEvent = { type: 'started', start };
const succeeded: ConnectEvent = { type: 'succeeded', itemId: 'item-1' };
const closed: ConnectEvent = { type: 'closed' };
const failed: ConnectEvent = { type: 'failed' };

test('the happy path', () => {
  expect(after(started)).toMatchObject({ status: 'widget', ready: false, pending: false });
  expect(after(started, { type: 'opened' })).toMatchObject({ status: 'widget', ready: true });
  expect(after(started, succeeded)).toEqual({ status: 'finishing', itemId: 'item-1' });
  expect(after(started, succeeded, { type: 'done', stays: false })).toMatchObject({ status: 'done', stays: false });
});

test('only the first success counts', () => {
  expect(after(started, succeeded, { type: 'succeeded', itemId: 'item-2' })).toMatchObject({ itemId: 'item-1' });
  expect(after(started, succeeded, { type: 'unanswered' }, { type: 'succeeded', itemId: 'item-2' })).toMatchObject({
    status: 'confirmFailed',
    itemId: 'item-1',
  });
});

test('a success after closing or failing is not lost', () => {
  expect(after(started, closed, succeeded)).toMatchObject({ status: 'finishing', itemId: 'item-1' });
  expect(after(started, failed, succeeded)).toMatchObject({ status: 'finishing' });
  expect(after(started, failed, { type: 'retry' }, succeeded)).toMatchObject({ status: 'finishing' });
});

test('closing after a success does not lead away', () => {
  expect(after(started, succeeded, closed)).toMatchObject({ status: 'finishing' });
});

test('closing without a success leads away, once', () => {
  const left = after(started, closed);
  expect(left).toMatchObject({ status: 'closed' });
  expect(reduce(left, closed)).toBe(left);
});

test('a waiting approval is no failure: the widget stays and may still succeed', () => {
  const pending = after(started, { type: 'error', message: 'x', itemId: null, pending: true });
  expect(pending).toMatchObject({ status: 'widget', pending: true });
  expect(reduce(pending, succeeded)).toMatchObject({ status: 'finishing' });
});

test('another try requests another token', () => {
  expect(after(started, failed, { type: 'retry' })).toEqual(FIRST);
});

test('no connect token is a failure with another try', () => {
  expect(after({ type: 'unanswered' })).toMatchObject({ status: 'failed' });
});

test('a retry confirms the same item again', () => {
  expect(after(started, succeeded, { type: 'unanswered' }, { type: 'retry' })).toEqual({
    status: 'finishing',
    itemId: 'item-1',
  });
});

test('retry means nothing while something is under way', () => {
  for (const state of [FIRST, after(started), after(started, succeeded), after(started, closed)]) {
    expect(reduce(state, { type: 'retry' })).toBe(state);
  }
});
