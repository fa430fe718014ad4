import { beforeEach, expect, test, vi } from 'vitest';
import { answerActions, page } from '../testing/page';
import { hydrateIslands } from './islands';

const CARD = '<div id="islands-failed" role="alert" hidden><a href="">Recarregar a página</a></div>';

/** A module whose wasm file is on its way until `arrive` is called. */
function serveStalledModule(): { arrive: () => void } {
  let arrive = () => {};
  const arrived = new Promise<void>((done) => (arrive = done));
  Object.assign(globalThis, { wasmArrived: arrived });
  const code = 'export default () => globalThis.wasmArrived; export const start = () => true;';
  Object.assign(document.body.dataset, {
    glue: `data:text/javascript,${encodeURIComponent(code)}`,
    wasm: '/slow.wasm',
  });
  return { arrive };
}

beforeEach(() => {
  delete document.body.dataset.islands;
});

test('a module that stalls for 15 seconds is said to be missing, and is used if it comes all the same', async () => {
  document.body.innerHTML = CARD;
  const { arrive } = serveStalledModule();
  vi.useFakeTimers();
  const hydrated = hydrateIslands({ after: 0, reportIsland: page.reportIsland });
  const card = () => document.getElementById('islands-failed');
  // One more second for the first frame.
  await vi.advanceTimersByTimeAsync(14_000);
  expect(card()?.hidden).toBe(true);
  await vi.advanceTimersByTimeAsync(2000);
  expect(card()?.hidden).toBe(false);
  expect(document.body.dataset.islands).toBe('failed');
  arrive();
  await hydrated;
  expect(card()?.hidden).toBe(true);
  expect(document.body.dataset.islands).toBe('alive');
});

test('a module that stalls puts no card beside a form that works by itself', async () => {
  document.body.innerHTML = `${CARD}<form data-standalone></form>`;
  serveStalledModule();
  vi.useFakeTimers();
  void hydrateIslands({ after: 0, reportIsland: page.reportIsland });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(document.getElementById('islands-failed')?.hidden).toBe(true);
});

test('a module that does not load is reported, and an alert about it comes into the page', async () => {
  const calls = answerActions({});
  document.body.innerHTML = CARD;
  Object.assign(document.body.dataset, { glue: '/no-such-module.js', wasm: '/no-such-module.wasm' });
  const before = document.getElementById('islands-failed');
  await hydrateIslands({ after: 0, reportIsland: page.reportIsland });
  const alerts = [...document.querySelectorAll<HTMLElement>('[role="alert"]')];
  expect(alerts.map((alert) => [alert === before, alert.hidden])).toEqual([[false, false]]);
  expect(document.body.dataset.islands).toBe('failed');
  expect(calls).toMatchObject([{ action: 'report_island', input: { island: 'wasm' } }]);
});
