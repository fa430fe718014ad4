/** Hydrates an island in its host. The only place that knows `hydrateRoot`. */
import type { ComponentType, ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import type { Context } from './generated/types';
import { broken } from './messages';
import { Button } from './ui/Button';

export type Mounted = { unmount(): void };

/** What an island's properties are read from, once, before it is rendered. */
export type Page = { context: Context; host: Element };

/**
 * Makes the `mount` function of the island `name`, as the wasm bridge calls it. An island that throws is reported, and what
 * the server sent stays if it works by itself; otherwise a card takes its place. The rest of the page keeps working.
 */
export function island<Props extends object>(
  name: string,
  View: ComponentType<Props>,
  propsOf: (page: Page) => Props,
): (host: Element) => Mounted {
  const report = (error: unknown): void => window.vincula.reportIsland(name, error);
  return (host) => {
    const isStandalone = host.querySelector('[data-standalone]') !== null;
    const served = [...host.childNodes];
    const root = hydrateRoot(host, <View {...propsOf({ context: readContext(), host })} />, {
      onRecoverableError: report,
      onUncaughtError: (error) => {
        report(error);
        // React has removed them. Without it the browser operates them, and they have what the person entered.
        if (isStandalone) host.replaceChildren(...served);
        else root.render(<Broken />);
      },
    });
    return root;
  };
}

/** The session data of the page. One that cannot be read fails the mounting, which the bridge reports. */
function readContext(): Context {
  return JSON.parse(document.getElementById('vincula-context')?.textContent ?? '');
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
