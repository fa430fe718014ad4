import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toasts } from '../testing/page';
import { toast } from './toast';

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

test('stays while the pointer is on it', () => {
  toast('error', 'x');
  shown()?.dispatchEvent(new MouseEvent('mouseenter'));
  vi.advanceTimersByTime(60_000);
  expect(toasts()).toHaveLength(1);
  shown()?.dispatchEvent(new MouseEvent('mouseleave'));
  vi.advanceTimersByTime(5000);
  expect(toasts()).toEqual([]);
});

test('stays while the focus is in it, even if the pointer leaves', () => {
  toast('error', 'x');
  close()?.focus();
  shown()?.dispatchEvent(new MouseEvent('mouseenter'));
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
