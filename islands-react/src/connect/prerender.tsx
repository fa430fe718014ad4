/** Built for node and run by build.mjs: what Connect's page shows while a connect token is asked for. */
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
