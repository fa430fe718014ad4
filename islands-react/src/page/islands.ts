/**
 * Hydrates the islands of the page: loads its wasm module, starts it, and hands each `<leptos-island>` to its function.
 * `body[data-islands]` then says "alive" if every island works, or "failed" if the module did not load. Afterwards it
 * prefetches the files of the next step.
 */

import type { Client } from './client';

/** The module's exports: wasm-bindgen's initialiser, our start, and one function for each Leptos island. */
type Module = {
  default(options: { module_or_path: string }): Promise<unknown>;
  /** Resolves to whether every React island is mounted. */
  start(): Promise<boolean> | undefined;
} & Record<string, (island: Element) => unknown>;

/** Set by `hydrate_islands` on the elements that hold an island's children. */
type ChildrenOwner = Element & { $$on_hydrate?: () => void };

/**
 * How long the module may take to load before the page says that a part of it is missing, in milliseconds. One that comes
 * later is used all the same.
 */
export const STALLED_AFTER_MS = 15_000;

type Start = {
  /** The least time from the first frame to the start, in milliseconds. */
  after: number;
  reportIsland: Client['reportIsland'];
};

export async function hydrateIslands({ after, reportIsland }: Start): Promise<void> {
  const { body } = document;
  const { glue, wasm } = body.dataset;
  if (glue === undefined || wasm === undefined) return;
  const repeatPress = rememberPress();
  await painted();
  if (after > 0) await new Promise((done) => setTimeout(done, after));
  const stalled = setTimeout(showStalled, STALLED_AFTER_MS);
  try {
    const module = (await import(glue)) as Module;
    await module.default({ module_or_path: wasm });
    const mounted = await module.start();
    await hydrate(body, module, []);
    clearTimeout(stalled);
    if (mounted === false) {
      announceFailure();
      return;
    }
    showSuccess();
    repeatPress();
    whenIdle(prefetch);
  } catch (error) {
    clearTimeout(stalled);
    showFailure();
    reportIsland('wasm', error);
  }
}

/** A form that works by itself is better than a card in its place. */
export function showStalled(): void {
  if (document.querySelector('[data-standalone]') === null) showFailure();
}

function showFailure(): void {
  const { dataset } = document.body;
  if (dataset.islands === 'failed') return;
  dataset.islands = 'failed';
  const card = document.getElementById('islands-failed');
  if (card) card.hidden = false;
  announceFailure();
}

function showSuccess(): void {
  document.body.dataset.islands = 'alive';
  const card = document.getElementById('islands-failed');
  if (card) card.hidden = true;
}

/** An alert is announced when it comes into the page; one that was there and not displayed may be missed. */
function announceFailure(): void {
  const card = document.getElementById('islands-failed');
  card?.replaceWith(card.cloneNode(true));
}

/**
 * Replays the last click on an island's button that happened before hydration. A submit button works without hydration: the
 * browser posts its form.
 */
function rememberPress(): () => void {
  let pressed: HTMLElement | null = null;
  const remember = ({ target }: Event): void => {
    if (!(target instanceof Element)) return;
    pressed = target.closest<HTMLElement>('leptos-island button:not([type="submit"])') ?? pressed;
  };
  addEventListener('click', remember);
  return () => {
    removeEventListener('click', remember);
    pressed?.click();
  };
}

/** The children of an island belong to its owner; Leptos marks where they hang. */
async function hydrate(node: ChildrenOwner, module: Module, owners: ChildrenOwner['$$on_hydrate'][]): Promise<void> {
  if (node instanceof HTMLElement && node.localName === 'leptos-island') {
    owners.at(-1)?.();
    await module[node.dataset.component ?? '']?.(node);
  }
  const holdsChildren = node.localName === 'leptos-children';
  if (holdsChildren) owners.push(node.$$on_hydrate);
  for (const child of node.children) await hydrate(child, module, owners);
  if (holdsChildren) owners.pop();
}

/**
 * Hydration takes a slow phone some tenths of a second, in which it answers no tap. So it waits for the first frame, and
 * for the next one, which follows once that is on the screen. Background tabs paint no frame.
 */
function painted(): Promise<void> {
  return new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(done)));
    setTimeout(done, 500);
  });
}

function whenIdle(task: () => void): void {
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(task, { timeout: 100 });
  else setTimeout(task);
}

/** Fetches the files of the next step with low priority, unless the person saves data. */
function prefetch(): void {
  const { next } = document.body.dataset;
  const { connection } = navigator as Navigator & { connection?: { saveData: boolean } };
  if (next === undefined || connection?.saveData) return;
  for (const href of next.split(' ')) {
    // Firefox applies default-src to <link rel=prefetch>, and Safari does not support it. A response is cached once it
    // has been read to its end.
    fetch(href, { priority: 'low' })
      .then((file) => file.blob())
      .catch(() => undefined);
  }
}
