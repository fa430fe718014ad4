import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerActions, page } from '../testing/page';

const CARD = '<div id="islands-failed" role="alert" hidden><a href="">Recarregar a página</a></div>';
const ISLAND = '<leptos-island><div data-react="connect"><button type="button">Abrir</button></div></leptos-island>';
const FORM = '<leptos-island><div data-react="consent"><form data-standalone></form></div></leptos-island>';

beforeEach(() => {
  delete document.body.dataset.islands;
});

// Then the page listens to the window no more.
afterEach(() => {
  page.hydrated();
  page.hydrated();
});

const card = () => document.getElementById('islands-failed');
const state = () => document.body.dataset.islands;
const host = () => document.querySelector<HTMLElement>('[data-react]') as HTMLElement;

/** Leaves an error to the window, as Leptos' script does. Returns whether the browser would write it to the console. */
function reject(reason: unknown): boolean {
  return window.dispatchEvent(Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason }));
}

test('a page is alive once all of its islands work', () => {
  document.body.innerHTML = CARD + ISLAND + ISLAND;
  page.watchIslands();
  page.hydrated();
  expect(state()).toBe('waiting');
  page.hydrated();
  expect(state()).toBe('alive');
});

test('the last press of a button before its island works is repeated', () => {
  document.body.innerHTML = CARD + ISLAND;
  page.watchIslands();
  const button = document.querySelector('button');
  button?.click();
  const pressed = vi.fn();
  button?.addEventListener('click', pressed);
  page.hydrated();
  expect(pressed).toHaveBeenCalledTimes(1);
});

test('a module that stalls for 15 seconds is said to be missing, and is used if it comes all the same', () => {
  document.body.innerHTML = CARD + ISLAND;
  vi.useFakeTimers();
  page.watchIslands();
  vi.advanceTimersByTime(14_999);
  expect(card()?.hidden).toBe(true);
  vi.advanceTimersByTime(1);
  expect([card()?.hidden, state()]).toEqual([false, 'failed']);
  page.hydrated();
  expect([card()?.hidden, state()]).toEqual([true, 'alive']);
});

test('a module that stalls puts no card beside a form that works by itself', () => {
  document.body.innerHTML = CARD + FORM;
  vi.useFakeTimers();
  page.watchIslands();
  vi.advanceTimersByTime(20_000);
  expect(card()?.hidden).toBe(true);
});

test('a module that does not load is reported once, and an alert about it comes into the page', () => {
  const calls = answerActions({});
  document.body.innerHTML = CARD + ISLAND;
  const before = card();
  page.watchIslands();
  const logged = [new TypeError('Failed to fetch'), new TypeError('something else')].map(reject);
  expect(logged).toEqual([false, true]);
  const alerts = [...document.querySelectorAll<HTMLElement>('[role="alert"]')];
  expect(alerts.map((alert) => [alert === before, alert.hidden])).toEqual([[false, false]]);
  expect(state()).toBe('failed');
  expect(calls).toMatchObject([
    { action: 'report_island', input: { island: 'wasm', reason: 'TypeError: Failed to fetch' } },
  ]);
});

test('an error after all islands work is not taken for a module that did not load', () => {
  document.body.innerHTML = CARD + ISLAND;
  page.watchIslands();
  page.hydrated();
  reject(new Error('later'));
  expect([card()?.hidden, state()]).toEqual([true, 'alive']);
});

test('a card takes the place of a screen of React that could not be mounted', () => {
  const calls = answerActions({});
  document.body.innerHTML = CARD + ISLAND;
  page.watchIslands();
  page.islandFailed(host(), new Error('broken'));
  expect([host().hidden, card()?.hidden]).toEqual([true, false]);
  expect(calls).toMatchObject([{ action: 'report_island', input: { island: 'connect', reason: 'Error: broken' } }]);
});

test('a form that works by itself stays if React could not be mounted', () => {
  const calls = answerActions({});
  document.body.innerHTML = CARD + FORM;
  page.watchIslands();
  page.islandFailed(host(), new Error('broken'));
  expect([host().hidden, card()?.hidden]).toEqual([false, true]);
  expect(calls).toMatchObject([{ action: 'report_island', input: { island: 'consent' } }]);
});
