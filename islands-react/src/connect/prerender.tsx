/** Renders Connect's page as it is while it requests a connect token. Built for Node; build.mjs runs it. */
import { renderToString } from 'react-dom/server';
import { Connect } from './Connect';

/** One screen for a new connection, and one for an update, which names the firm (`steps/connect.rs` picks one). */
export function prerender(): Record<string, string> {
  return { opening: screen(undefined), updating: screen('{{customerName}}') };
}

function screen(updateFor: string | undefined): string {
  const never = () => new Promise<never>(() => {});
  return renderToString(
    <Connect
      updateFor={updateFor}
      openConnect={never}
      finishConnect={never}
      keepItem={() => {}}
      reportError={() => {}}
      reportStep={() => {}}
      openPluggy={() => ({ close: () => {} })}
      replace={() => {}}
    />,
  );
}
