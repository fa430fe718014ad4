/** The gallery (`src/gallery/states.rs`): every screen in every state, for what must hold on all of them. */
import { expect, type Page } from '@playwright/test';
import { startSandbox } from './servers.ts';
import type { BrowserErrors } from './browser-errors.ts';

export type State = {
  step: string;
  slug: string;
  /** What is visible once the state is reached. */
  shows: string;
};

/** Playwright needs the states before any test runs, so a program of their own lists them. */
export const STATES: readonly State[] = await read();

async function read(): Promise<State[]> {
  const program = await startSandbox();
  try {
    const response = await fetch(`${program.url}/sandbox/screens.json`);
    return (await response.json()) as State[];
  } finally {
    await program.kill();
  }
}

/** Opens a state in a page of the sandbox, and waits until all of it is there. */
export async function open(page: Page, state: State, browserErrors: BrowserErrors): Promise<void> {
  if (state.slug.startsWith('not-found')) browserErrors.expect(/status of 404/);
  await page.goto(`/sandbox/screens/${state.slug}`);
  await settle(page, state);
}

/** The rules of axe that a state cannot keep. */
export function exceptions({ slug }: State): string[] {
  // The heading is React's.
  return slug === 'react-broken' ? ['page-has-heading-one'] : [];
}

export async function settle(page: Page, { shows }: State): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-performed');
  await expect(page.locator(shows).first()).toBeVisible();
  await isHydrated(page);
}

/** Waits until every island is hydrated, or has failed. */
export async function isHydrated(page: Page): Promise<void> {
  const done = ['body[data-islands]', 'body:not(:has(leptos-island, [data-react]))', '#islands-failed:not([hidden])'];
  await expect(page.locator(done.join()).first()).toBeAttached();
}
