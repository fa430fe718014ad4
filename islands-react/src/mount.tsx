/** Hydrates an island in its host. The only place that knows `hydrateRoot`. */
import type { ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import type { Context } from './generated/types';
import { broken } from './messages';
import { Button } from './ui/Button';

export type Mounted = { unmount(): void };

/** What an island is drawn from. `host` is to be read only, and only in the first rendering. */
export type Page = { context: Context; host: Element };

/**
 * Makes the `mount` function of the island `name`, as the wasm bridge calls it. An island that throws is reported, and what
 * the server sent stays if it works by itself; otherwise a card takes its place. The rest of the page keeps working.
 */
export function island(name: string, view: (page: Page) => ReactNode): (host: Element) => Mounted {
  const report = (error: unknown): void => window.vincula.reportIsland(name, error);
  return (host) => {
    const isStandalone = host.querySelector('[data-standalone]') !== null;
    const served = [...host.childNodes];
    const root = hydrateRoot(host, <Island view={view} host={host} />, {
      onRecoverableError: report,
      onUncaughtError: (error) => {
        report(error);
        // React has removed them. The page's script still operates them, and they have what the person entered.
        if (isStandalone) host.replaceChildren(...served);
        else root.render(<Broken />);
      },
    });
    return root;
  };
}

/** A component, so that what the view throws is an error of the island. */
function Island({ view, host }: { view: (page: Page) => ReactNode; host: Element }): ReactNode {
  return view({ context: JSON.parse(document.getElementById('vincula-context')?.textContent ?? ''), host });
}

function Broken(): ReactNode {
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
