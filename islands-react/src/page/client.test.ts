import { describe, expect, test, vi } from 'vitest';
import { eachField } from '../bank-form/fields';
import { answerActions, deferred, toasts, watchLocation } from '../testing/page';

const input = { session: 's-1' };
const consent = { ...input, text: 'ab' };
const form = { ...input, bank: '', bankName: '', ...eachField(() => '') };

describe('a request', () => {
  test('is a same-origin JSON post with one input', async () => {
    const calls = answerActions({ accept_consent: [{ body: { to: '/integration/accounts' } }] });
    expect(await window.vincula.post('accept_consent', consent)).toEqual({
      ok: true,
      data: { to: '/integration/accounts' },
    });
    expect(fetch).toHaveBeenCalledWith('/api/accept_consent', expect.anything());
    expect(calls[0]?.init).toMatchObject({
      method: 'POST',
      credentials: 'same-origin',
      cache: 'no-store',
      keepalive: false,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: '{"input":{"session":"s-1","text":"ab"}}',
    });
  });

  test('outlives the page if asked to', async () => {
    const calls = answerActions({});
    await window.vincula.post('check_session', input, true);
    expect(calls[0]?.init.keepalive).toBe(true);
  });

  test('without an answer in time is no reply', async () => {
    vi.useFakeTimers();
    answerActions({ list_banks: [deferred<never>().promise] });
    const answer = window.vincula.post('list_banks', input, false, 60_000);
    await vi.advanceTimersByTimeAsync(59_999);
    const settled = vi.fn();
    void answer.then(settled);
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toMatchObject({ failure: { kind: 'no_reply' } });
    vi.useRealTimers();
  });

  test('that a newer session stops is another tab’s, and so is every later one', async () => {
    answerActions({ accept_consent: [deferred<never>().promise] });
    const answer = window.vincula.post('accept_consent', consent);
    (await import('./other-tab')).stop();
    expect(await answer).toMatchObject({ failure: { kind: 'other_tab' } });
    expect(await window.vincula.post('list_banks', input)).toMatchObject({ failure: { kind: 'other_tab' } });
  });
});

describe('an answer', () => {
  test.each([
    { kind: 'no_reply' },
    { kind: 'other_tab', requestId: 'r-1' },
    { kind: 'navigate', to: '/error/token-expired' },
    { kind: 'invalid', fields: [{ field: 'cpf', code: 'invalid' }] },
  ])('that failed is what the server says: $kind', async (failure) => {
    answerActions({ save_bank_form: [{ status: 422, body: failure }] });
    expect(await window.vincula.post('save_bank_form', form)).toMatchObject({ ok: false, failure });
  });

  test('that failed says when to ask again', async () => {
    vi.stubGlobal(
      'fetch',
      async () => new Response('{"kind":"no_reply"}', { status: 503, headers: { 'retry-after': '7' } }),
    );
    expect(await window.vincula.post('list_banks', input)).toMatchObject({ ok: false, retryAfterMs: 7000 });
  });

  test.each([
    ['there is none', 'offline' as const],
    ['a proxy gives a page', { status: 502, body: '<html>Bad gateway</html>' }],
    ['a proxy gives nothing', { status: 503, body: '' }],
  ])('is no reply if %s', async (_name, answer) => {
    answerActions({ accept_consent: [answer] });
    expect(await window.vincula.post('accept_consent', consent)).toMatchObject({
      ok: false,
      failure: { kind: 'no_reply' },
    });
  });

  test.each([
    ['an unknown kind', 400, { kind: 'explode' }],
    ['a kind without its target', 400, { kind: 'navigate' }],
    ['no fields', 422, { kind: 'invalid' }],
    ['nothing', 400, null],
    ['success that is not JSON', 200, 'ok'],
  ])('that cannot be read is no fault of the link: %s', async (_name, status, body) => {
    answerActions({ open_connect: [{ status, body }] });
    const failure = { kind: 'navigate', to: '/error/token-invalid?falha=servico' };
    expect(await window.vincula.post('open_connect', input)).toMatchObject({ ok: false, failure });
  });
});

describe('a failure', () => {
  test('without a reply toasts, and the page stays', () => {
    const { replace } = watchLocation();
    expect(window.vincula.handleFailure({ kind: 'no_reply' })).toBe(true);
    expect(toasts()).toEqual(['Houve falha na requisição.']);
    expect(replace).not.toHaveBeenCalled();
  });

  test('with a target leads there', () => {
    const { replace } = watchLocation();
    expect(window.vincula.handleFailure({ kind: 'navigate', to: '/error/token-expired' })).toBe(false);
    expect(replace).toHaveBeenCalledExactlyOnceWith('/error/token-expired');
  });

  test('without a session leads to the entry', () => {
    const { replace } = watchLocation();
    window.vincula.handleFailure({ kind: 'navigate', to: '/' });
    expect(replace).toHaveBeenCalledExactlyOnceWith('/');
  });

  test('without a session in a step that took the entry’s place is about cookies, until an action works', async () => {
    const { replace } = watchLocation();
    (await import('./client')).arrivedAt('/integration/widget');
    window.vincula.handleFailure({ kind: 'navigate', to: '/error/token-expired' });
    window.vincula.handleFailure({ kind: 'navigate', to: '/' });
    answerActions({});
    await window.vincula.post('list_banks', input);
    window.vincula.handleFailure({ kind: 'navigate', to: '/' });
    expect(replace.mock.calls).toEqual([['/error/token-expired'], ['/integration/widget?validado=1'], ['/']]);
  });

  test('of another tab stops the page', async () => {
    const { replace } = watchLocation();
    expect(window.vincula.handleFailure({ kind: 'other_tab' })).toBe(true);
    expect((await import('./other-tab')).stopped.aborted).toBe(true);
    expect(replace).not.toHaveBeenCalled();
    expect(toasts()).toEqual([]);
  });

  test('of fields that no form shows leads to the error screen', () => {
    const { replace } = watchLocation();
    const fields = [{ field: 'cpf' as const, code: 'invalid' as const }];
    expect(window.vincula.handleFailure({ kind: 'invalid', fields })).toBe(false);
    expect(replace).toHaveBeenCalledExactlyOnceWith('/error/token-invalid?falha=servico');
  });
});

test('an island is reported with the error, and nothing that is none', () => {
  const calls = answerActions({});
  window.vincula.reportIsland('consent', new TypeError('no host'));
  window.vincula.reportIsland('consent', '12.345.678/0001-95');
  const reasons = calls.map(({ input: sent }) => (sent as { reason: string }).reason);
  expect(reasons).toEqual(['TypeError: no host', 'unknown']);
});
