/** Puts an island into its host. The only place that knows `createRoot` and `hydrateRoot`. */
import { Component, type ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { Context } from './generated/types';
import { broken } from './messages';
import { Button } from './ui/Button';

export type Mounted = { unmount(): void };

/** What an island is drawn from. `host` is to be read only, and only in the first rendering. */
export type Page = { context: Context; host: Element };

/** Makes the `mount` function of the island `name`, as the wasm bridge calls it. */
export function island(name: string, view: (page: Page) => ReactNode): (host: Element) => Mounted {
  const report = (error: unknown): void => window.vincula.reportIsland(name, error);
  return (host) => {
    const tree = (
      <ErrorBoundary report={report}>
        <Island view={view} host={host} />
      </ErrorBoundary>
    );
    const settings = { onRecoverableError: report };
    if (host.querySelector(':scope > [data-prerendered]') !== null) {
      removeBlankTexts(host);
      return hydrateRoot(host, tree, settings);
    }
    const root = createRoot(host, settings);
    root.render(tree);
    return root;
  };
}

/** A component, so that what the view throws reaches the boundary. */
function Island({ view, host }: { view: (page: Page) => ReactNode; host: Element }): ReactNode {
  return view({ context: JSON.parse(document.getElementById('vincula-context')?.textContent ?? ''), host });
}

/** A template's line breaks around the prerendered element would count as a difference. */
function removeBlankTexts(host: Element): void {
  for (const node of [...host.childNodes]) {
    if (node.nodeType === Node.TEXT_NODE && node.textContent?.trim() === '') node.remove();
  }
}

type BoundaryProps = { report: (error: unknown) => void; children: ReactNode };

/** Shows a card instead of an island that throws, and reports the error; the rest of the page keeps working. */
class ErrorBoundary extends Component<BoundaryProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.report(error);
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <div className="card" role="alert">
        <h2 className="card__title">{broken.title}</h2>
        <p>{broken.text}</p>
        <Button kind="primary" onClick={() => location.reload()}>
          {broken.reload}
        </Button>
      </div>
    );
  }
}
