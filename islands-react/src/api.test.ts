import { describe, expect, test } from 'vitest';
import { finishConnect, listBanks, openConnect, saveBankForm } from './api';
import { answerActions } from './testing/page';

const input = { session: 's-1' };

test('a good answer is its data', async () => {
  answerActions({ list_banks: [{ body: { banks: [{ code: '001', name: 'Banco do Brasil' }] } }] });
  expect(await listBanks(input)).toEqual({
    ok: true,
    data: { banks: [{ code: '001', name: 'Banco do Brasil' }] },
  });
});

test('a failure is passed on', async () => {
  const failure = { kind: 'invalid', fields: [{ field: 'cpf', code: 'invalid' }] };
  answerActions({ save_bank_form: [{ status: 422, body: failure }] });
  expect(await saveBankForm({ ...input, bank: '', bankName: '', name: '', cpf: '' })).toMatchObject({
    ok: false,
    failure,
  });
});

test('only a finished connection outlives the page', async () => {
  const calls = answerActions({});
  await finishConnect({ ...input, itemId: 'i' });
  await listBanks(input);
  expect(calls.map(({ init }) => init.keepalive)).toEqual([true, false]);
});

describe('an answer that is not of the action leads to token-invalid', () => {
  test.each([
    ['without its data', {}],
    ['of another action', { banks: [] }],
    ['null', null],
  ])('%s', async (_name, body) => {
    answerActions({ open_connect: [{ body }] });
    expect(await openConnect(input)).toEqual({
      ok: false,
      failure: { kind: 'navigate', to: '/error/token-invalid' },
    });
  });
});
