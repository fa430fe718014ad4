import { afterEach, expect, test, vi } from 'vitest';
import { react } from './failure';
import { watchLocation } from './testing/page';

afterEach(() => {
  delete window.vinculaToasts;
});

function heard(name: string) {
  const listener = vi.fn();
  window.addEventListener(name, listener, { once: true });
  return listener;
}

test('no reply toasts and stays', () => {
  const { replace } = watchLocation();
  const listener = heard('vincula:toast');
  expect(react({ kind: 'no_reply' })).toBe('stays');
  expect(window.vinculaToasts).toEqual([{ kind: 'error', message: 'Houve falha na requisição.' }]);
  expect(listener).toHaveBeenCalledOnce();
  expect(replace).not.toHaveBeenCalled();
});

test('toasts wait behind those that nobody has shown yet', () => {
  window.vinculaToasts = [{ kind: 'info', message: 'antes' }];
  react({ kind: 'no_reply' });
  expect(window.vinculaToasts).toHaveLength(2);
});

test('navigate leaves', () => {
  const { replace } = watchLocation();
  expect(react({ kind: 'navigate', to: '/error/token-expired' })).toBe('leaves');
  expect(replace).toHaveBeenCalledWith('/error/token-expired');
});

test('another tab is announced and nothing else happens', () => {
  const { replace } = watchLocation();
  const listener = heard('vincula:other-tab');
  expect(react({ kind: 'other_tab' })).toBe('stays');
  expect(listener).toHaveBeenCalledOnce();
  expect(replace).not.toHaveBeenCalled();
  expect(window.vinculaToasts).toBeUndefined();
});

test('invalid fields go to the form, and where there is none to the error screen', () => {
  const { replace } = watchLocation();
  const show = vi.fn();
  const fields = [{ field: 'cpf', code: 'invalid' }] as const;
  expect(react({ kind: 'invalid', fields: [...fields] }, show)).toBe('stays');
  expect(show).toHaveBeenCalledWith(fields);
  expect(replace).not.toHaveBeenCalled();
  expect(react({ kind: 'invalid', fields: [...fields] })).toBe('leaves');
  expect(replace).toHaveBeenCalledWith('/error/token-invalid');
});
