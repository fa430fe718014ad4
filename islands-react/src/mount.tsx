/** Puts an island into its host. The only place that knows `createRoot` and `hydrateRoot`. */
import type { ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { readContext } from './context';
import type { Context } from './generated/types';
import { ErrorBoundary } from './ui/ErrorBoundary';

export type Mounted = { unmount(): void };

/** What an island is drawn from. `host` is to be read only, and only before the first render. */
export type Page = { context: Context; host: Element };

/** Makes the `mount` function of the island `name`, as the wasm bridge calls it. */
export function island(name: string, view: (page: Page) => ReactNode): (host: Element) => Mounted {
  const report = (error: unknown): void => {
    window.vincula.reportIsland(name, error);
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
  if (!content.ok) throw content.error;
  return content.node;
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
