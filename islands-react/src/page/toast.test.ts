import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toasts } from '../testing/page';

const toast = (kind: 'error' | 'info', message: string) => window.vincula.toast(kind, message);
const shown = () => document.querySelector<HTMLElement>('.toast');
const close = () => document.querySelector<HTMLButtonElement>('.toast button');

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  document.body.innerHTML = '';
});

test('says what it is given, in its kind’s colours, for five seconds', () => {
  toast('info', '<b>Conta</b> conectada');
  expect(toasts()).toEqual(['<b>Conta</b> conectada']);
  expect(shown()?.className).toBe('toast toast--info');
  vi.advanceTimersByTime(4999);
  expect(toasts()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toasts()).toEqual([]);
});

test('stands below those that came before', () => {
  toast('info', 'antes');
  toast('error', 'depois');
  expect(toasts()).toEqual(['antes', 'depois']);
});

test('the same text once more takes the place of the former, and stays as long as a new one', () => {
  toast('error', 'x');
  toast('info', 'y');
  vi.advanceTimersByTime(4000);
  for (let times = 0; times < 4; times += 1) toast('error', 'x');
  expect(toasts()).toEqual(['y', 'x']);
  vi.advanceTimersByTime(4999);
  expect(toasts()).toEqual(['x']);
  vi.advanceTimersByTime(1);
  expect(toasts()).toEqual([]);
  toast('error', 'x');
  expect(toasts()).toEqual(['x']);
});

test('the same text does not take the focus out of the former', () => {
  toast('error', 'x');
  toast('info', 'y');
  close()?.focus();
  toast('error', 'x');
  expect(close()).toHaveFocus();
});

test('with a link it stays', async () => {
  (await import('./toast')).toast(
    'info',
    'Pronto.',
    Object.assign(document.createElement('a'), { href: '/', textContent: 'Continuar' }),
  );
  vi.advanceTimersByTime(60_000);
  expect(toasts()).toEqual(['Pronto. Continuar']);
});

// jsdom has no pointer: that a toast stays under one is a browser test.
test('stays while the focus is in it, even if the pointer leaves', () => {
  toast('error', 'x');
  close()?.focus();
  shown()?.dispatchEvent(new MouseEvent('mouseleave'));
  vi.advanceTimersByTime(60_000);
  expect(toasts()).toHaveLength(1);
  close()?.blur();
  vi.advanceTimersByTime(5000);
  expect(toasts()).toEqual([]);
});

test('closes at a click and gives the focus back', () => {
  const field = document.createElement('input');
  document.body.append(field);
  field.focus();
  toast('error', 'x');
  close()?.focus();
  close()?.click();
  expect(toasts()).toEqual([]);
  expect(field).toHaveFocus();
});

test('a document without the markup shows none', () => {
  document.body.innerHTML = '';
  toast('error', 'x');
  expect(document.body).toBeEmptyDOMElement();
});
