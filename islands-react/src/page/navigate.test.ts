import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toasts, watchLocation } from '../testing/page';
import { isOwnPath, removeMark, replace, watchReturn } from './navigate';

test.each(['/', '/integration/accounts', '/error/token-invalid?id=1#a'])('own path: %s', (to) => {
  const { replace: sent } = watchLocation();
  replace(to);
  expect(sent).toHaveBeenCalledExactlyOnceWith(to);
});

test.each([
  '//evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  'https://evil.test',
  'javascript:alert(1)',
  '',
  'x',
  '/a\nb',
  '/\t/evil',
])('a stranger ends on the error screen: %j', (to) => {
  const { replace: sent } = watchLocation();
  expect(isOwnPath(to)).toBe(false);
  replace(to);
  expect(sent).toHaveBeenCalledExactlyOnceWith('/error/token-invalid?falha=servico');
});

describe('a page that is still there eight seconds after it was left', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    document.body.insertAdjacentHTML('beforeend', '<form><button aria-busy="true">Enviar</button></form>');
  });
  afterEach(() => {
    vi.useRealTimers();
    document.body.innerHTML = '';
  });

  const notice = () => toasts().at(0);
  const link = () => document.querySelector<HTMLAnchorElement>('.toast a');

  test('offers the way on, for as long as it stays', () => {
    const { replace: sent } = watchLocation();
    const freed = vi.fn();
    window.addEventListener('vincula-stays', freed, { once: true });
    replace('/integration/accounts');
    vi.advanceTimersByTime(7999);
    expect([toasts(), freed.mock.calls]).toEqual([[], []]);
    vi.advanceTimersByTime(1);
    expect(freed).toHaveBeenCalledOnce();
    expect(notice()).toBe('Pronto. Continuar');
    expect(link()).toHaveAttribute('href', '/integration/accounts');
    vi.advanceTimersByTime(60_000);
    link()?.click();
    expect(sent.mock.calls).toEqual([['/integration/accounts'], ['/integration/accounts']]);
    vi.advanceTimersByTime(8000);
    expect(toasts()).toEqual(['Pronto. Continuar']);
  });

  test('says of a failure’s way on only that it goes on', () => {
    watchLocation();
    window.vincula.handleFailure({ kind: 'navigate', to: '/error/token-expired' });
    vi.advanceTimersByTime(8000);
    expect(notice()).toBe('Continuar');
  });

  test('a button that was busy leads on and does not repeat its call', () => {
    const { replace: sent } = watchLocation();
    const [pressed, submitted] = [vi.fn(), vi.fn()];
    const button = document.querySelector('button');
    button?.addEventListener('click', pressed);
    document.querySelector('form')?.addEventListener('submit', submitted);
    replace('/cancel/success');
    vi.advanceTimersByTime(8000);
    button?.click();
    expect(sent).toHaveBeenCalledTimes(2);
    expect([pressed.mock.calls, submitted.mock.calls]).toEqual([[], []]);
  });
});

test('a page from the back/forward cache frees what is busy', () => {
  const freed = vi.fn();
  window.addEventListener('vincula-stays', freed);
  watchReturn();
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
  expect(freed).not.toHaveBeenCalled();
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(freed).toHaveBeenCalledOnce();
});

test.each([
  ['/integration/widget?validado=1', '/integration/widget'],
  ['/integration/widget?validado=1&aviso=sem-resposta#a', '/integration/widget?aviso=sem-resposta#a'],
  ['/integration/widget?xvalidado=1', '/integration/widget?xvalidado=1'],
  ['/integration/widget', '/integration/widget'],
])('the mark is removed from %s, and nothing else', (address, left) => {
  history.replaceState({ kept: true }, '', address);
  removeMark();
  expect(location.pathname + location.search + location.hash).toBe(left);
  expect(history.state).toEqual({ kept: true });
});
