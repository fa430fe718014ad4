import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchLocation } from '../testing/page';

const channels = new Set<FakeChannel>();

/** Delivers to every other page at once. */
class FakeChannel extends EventTarget {
  sent: unknown[] = [];

  constructor() {
    super();
    channels.add(this);
  }
  postMessage(data: unknown): void {
    this.sent.push(data);
    for (const other of channels) if (other !== this) other.dispatchEvent(new MessageEvent('message', { data }));
  }
}

beforeEach(() => {
  channels.clear();
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = vi.fn(function open(this: HTMLDialogElement) {
    this.open = true;
  });
  document.body.insertAdjacentHTML(
    'beforeend',
    '<dialog id="other-tab" data-session="s-1" data-rendered="100"><a href="/integration/new">Continuar</a></dialog>',
  );
});

afterEach(() => {
  document.body.innerHTML = '';
});

async function page() {
  const tab = await import('./other-tab');
  tab.watchOtherTabs();
  return { ...tab, dialog: document.querySelector('dialog') as HTMLDialogElement };
}

test('a page announces its session', async () => {
  await page();
  expect([...channels].map(({ sent }) => sent)).toEqual([[{ session: 's-1', rendered: 100 }]]);
});

test('a newer page of another session stops this one', async () => {
  const { stopped, dialog } = await page();
  new FakeChannel().postMessage({ session: 's-2', rendered: 101 });
  expect(stopped.aborted).toBe(true);
  expect(dialog.open).toBe(true);
});

test('an older page of another session is told, and stops nothing', async () => {
  const { stopped } = await page();
  const own = [...channels][0];
  new FakeChannel().postMessage({ session: 's-2', rendered: 99 });
  expect(stopped.aborted).toBe(false);
  expect(own?.sent).toHaveLength(2);
});

test('a page of the same session changes nothing', async () => {
  const { stopped } = await page();
  new FakeChannel().postMessage({ session: 's-1', rendered: 200 });
  expect(stopped.aborted).toBe(false);
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
