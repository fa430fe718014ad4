/** Renders Connect's page as it is while it requests a connect token. Built for Node; build.mjs runs it. */
import { renderToString } from 'react-dom/server';
import { Connect } from './Connect';

export function prerender(): Record<string, string> {
  const never = () => new Promise<never>(() => {});
  return {
    opening: renderToString(
      <Connect
        openConnect={never}
        finishConnect={never}
        reportError={() => {}}
        openPluggy={() => ({ close: () => {} })}
        replace={() => {}}
      />,
    ),
  };
}
