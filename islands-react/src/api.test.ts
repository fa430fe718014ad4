import { describe, expect, test, vi } from 'vitest';
import { acceptConsent, finishConnect, listBanks, openConnect, saveBankForm } from './api';
import { answerActions, later } from './testing/page';

const input = { session: 's-1' };
const tokenInvalid = { ok: false, failure: { kind: 'navigate', to: '/error/token-invalid' } };

describe('the request', () => {
  test('is a same-origin JSON post with one input', async () => {
    const calls = answerActions({ accept_consent: [{ body: { to: '/integration/accounts' } }] });
    await acceptConsent(input);
    expect(fetch).toHaveBeenCalledWith('/api/accept_consent', expect.anything());
    expect(calls[0]?.init).toMatchObject({
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: '{"input":{"session":"s-1"}}',
    });
  });

  test('outlives the page for a finished connection only', async () => {
    const calls = answerActions({});
    await finishConnect({ ...input, itemId: 'i' });
    await listBanks(input);
    expect(calls.map(({ init }) => init.keepalive)).toEqual([true, false]);
  });
});

describe('the outcome', () => {
  test('a good answer is its data', async () => {
    answerActions({ list_banks: [{ body: { banks: [{ code: '001', name: 'Banco do Brasil' }] } }] });
    expect(await listBanks(input)).toEqual({
      ok: true,
      data: { banks: [{ code: '001', name: 'Banco do Brasil' }] },
    });
  });

  test('an answer that a newer session no longer waits for is another tab’s, and so is every later call', async () => {
    const stop = new AbortController();
    vi.stubGlobal('vinculaStopped', stop.signal);
    answerActions({ accept_consent: [later<never>().promise] });
    const outcome = acceptConsent(input);
    stop.abort();
    expect(await outcome).toEqual({ ok: false, failure: { kind: 'other_tab' } });
    expect(await listBanks(input)).toEqual({ ok: false, failure: { kind: 'other_tab' } });
  });

  test('no answer is no reply', async () => {
    answerActions({ accept_consent: ['offline'] });
    expect(await acceptConsent(input)).toEqual({ ok: false, failure: { kind: 'no_reply' } });
  });

  test.each([
    { kind: 'no_reply' },
    { kind: 'other_tab', requestId: 'r-1' },
    { kind: 'navigate', to: '/error/token-expired' },
    { kind: 'invalid', fields: [{ field: 'cpf', code: 'invalid' }] },
  ])('a failure is what the server says: $kind', async (failure) => {
    answerActions({ save_bank_form: [{ status: 422, body: failure }] });
    expect(await saveBankForm({ ...input, bank: '', name: '', cpf: '' })).toEqual({ ok: false, failure });
  });

  test.each([
    ['a page', 502, '<html>Bad gateway</html>'],
    ['nothing', 503, ''],
  ])('a failure that is not our server’s is no reply: %s', async (_name, status, body) => {
    answerActions({ accept_consent: [{ status, body }] });
    expect(await acceptConsent(input)).toEqual({ ok: false, failure: { kind: 'no_reply' } });
  });

  test.each([
    ['an unknown kind', 400, { kind: 'explode' }],
    ['a kind without its target', 400, { kind: 'navigate' }],
    ['fields of an unknown form', 422, { kind: 'invalid', fields: [{ field: 'age', code: 'invalid' }] }],
    ['success that is not JSON', 200, 'ok'],
    ['success without its data', 200, {}],
    ['success of another action', 200, { banks: [] }],
  ])('anything unreadable goes to token-invalid: %s', async (_name, status, body) => {
    answerActions({ open_connect: [{ status, body }] });
    expect(await openConnect(input)).toEqual(tokenInvalid);
  });
});
