/** Puts an island into its host. The only place that knows `createRoot` and `hydrateRoot`. */
import { type ReactNode, useEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { reportIsland } from './api';
import { readContext } from './context';
import type { Context } from './generated/Context';
import { ErrorBoundary } from './ui/ErrorBoundary';

const REASON_MAX_CHARS = 200;

export type Mounted = { unmount(): void };

/** What an island is drawn from. `host` is to be read only, and only before the first render. */
export type Page = { context: Context; host: Element };

/** Makes the `mount` function of the island `name`, as the wasm bridge calls it. */
export function island(name: string, view: (page: Page) => ReactNode): (host: Element) => Mounted {
  const report = (error: unknown): void => {
    void reportIsland({ island: name, reason: reasonOf(error) });
  };
  return (host) => {
    // The page is read before React touches the host; a reader that throws must still reach the boundary.
    const content = attempt(() => view({ context: readContext(), host }));
    const tree = (
      <ErrorBoundary report={report}>
        <Settled content={content} />
      </ErrorBoundary>
    );
    const settings = { onRecoverableError: report };
    if (content.ok && host.querySelector(':scope > [data-prerendered]') !== null) {
      removeBlankTexts(host);
      return hydrateRoot(host, tree, settings);
    }
    const root = createRoot(host, settings);
    root.render(tree);
    return root;
  };
}

type Content = { ok: true; node: ReactNode } | { ok: false; error: unknown };

function Settled({ content }: { content: Content }): ReactNode {
  useEffect(focusTitle, []);
  if (!content.ok) throw content.error;
  return content.node;
}

/** A new screen starts at its heading, unless the person is already somewhere in it. */
function focusTitle(): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('.step__title')?.focus({ preventScroll: true });
}

function attempt(make: () => ReactNode): Content {
  try {
    return { ok: true, node: make() };
  } catch (error) {
    return { ok: false, error };
  }
}

/** A template's line breaks around the prerendered element would count as a difference. */
function removeBlankTexts(host: Element): void {
  for (const node of [...host.childNodes]) {
    if (node.nodeType === Node.TEXT_NODE && node.textContent?.trim() === '') node.remove();
  }
}

/** A short reason without anything that looks like a document or account number. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
  return text.replace(/\d[\d.\-/]{6,}\d/g, '#').slice(0, REASON_MAX_CHARS);
}
