import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Answer, answerActions, watchLocation } from '../testing/page';

const channels = new Set<FakeChannel>();

/** Delivers to every other page at once. jsdom's events swallow what a listener throws; this does not. */
class FakeChannel {
  sent: unknown[] = [];
  #listen: (event: { data: unknown }) => void = () => {};

  constructor() {
    channels.add(this);
  }
  addEventListener(_type: 'message', listen: (event: { data: unknown }) => void): void {
    this.#listen = listen;
  }
  postMessage(data: unknown): void {
    this.sent.push(data);
    for (const other of channels) if (other !== this) other.#listen({ data });
  }
}

beforeEach(() => {
  channels.clear();
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  document.body.insertAdjacentHTML(
    'beforeend',
    '<dialog id="other-tab" data-session="s-1"><a href="/integration/new">Continuar</a></dialog>',
  );
});

afterEach(() => {
  document.body.innerHTML = '';
});

const REPLACED = { status: 409, body: { kind: 'other_tab' } };

async function page(answer: Answer = { body: {} }) {
  const calls = answerActions({ check_session: [answer] });
  const tab = await import('./other-tab');
  tab.watchOtherTabs();
  return { ...tab, calls, dialog: document.querySelector('dialog') as HTMLDialogElement };
}

/** Another page says this. */
function hear(data: unknown): void {
  new FakeChannel().postMessage(data);
}

test('a page announces its session', async () => {
  await page();
  expect([...channels].map(({ sent }) => sent)).toEqual([[{ session: 's-1' }]]);
});

test('a page that hears of another session stops if the server says that it was replaced', async () => {
  const { stopped, dialog, calls } = await page(REPLACED);
  hear({ session: 's-2' });
  await vi.waitFor(() => expect(stopped.aborted).toBe(true));
  expect(calls).toMatchObject([{ action: 'check_session', input: { session: 's-1' } }]);
  expect(dialog.open).toBe(true);
  hear({ session: 's-2' });
  expect(calls).toHaveLength(1);
});

test.each([
  ['its own is the browser’s', { body: {} }],
  ['the server does not answer', 'offline' as const],
  ['there is no session any more', { status: 401, body: { kind: 'navigate', to: '/' } }],
])('a page that hears of another session stays if %s', async (_name, answer) => {
  const { replace } = watchLocation();
  const { stopped, calls } = await page(answer);
  await vi.waitFor(() => {
    hear({ session: 's-2' });
    expect(calls.length, 'it asks again once it has the answer').toBe(2);
  });
  expect(stopped.aborted).toBe(false);
  expect(replace).not.toHaveBeenCalled();
});

test('several announcements at once are one question', async () => {
  const { calls } = await page(new Promise(() => {}));
  for (let times = 0; times < 5; times += 1) hear({ session: 's-2' });
  expect(calls).toHaveLength(1);
});

test('the announcement of another page of this session changes nothing', async () => {
  const { calls } = await page(REPLACED);
  hear({ session: 's-1' });
  expect(calls).toEqual([]);
});

test('a page from the back/forward cache, which has heard nothing, asks', async () => {
  const { stopped } = await page(REPLACED);
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  await vi.waitFor(() => expect(stopped.aborted).toBe(true));
});

test('nothing closes the dialog, and its link replaces the history entry', async () => {
  const { stop, dialog } = await page();
  stop();
  const cancel = new Event('cancel', { cancelable: true });
  dialog.dispatchEvent(cancel);
  expect(cancel.defaultPrevented).toBe(true);
  dialog.open = false;
  dialog.dispatchEvent(new Event('close'));
  expect(dialog.open).toBe(true);
  const { replace } = watchLocation();
  dialog.querySelector('a')?.click();
  expect(replace).toHaveBeenCalledOnce();
});

test('a page without a session announces none', async () => {
  document.querySelector('dialog')?.remove();
  (await import('./other-tab')).watchOtherTabs();
  expect(channels.size).toBe(0);
});
