/** Renders Connect's page as it is while it requests a connect token. Built for Node; build.mjs runs it. */
import { renderToString } from 'react-dom/server';
import { Connect } from './Connect';

/** One screen for a new connection, and one for an update, which names the firm (`steps/connect.rs` picks one). */
export function prerender(): Record<string, string> {
  return { opening: screen(undefined), updating: screen('{{customerName}}') };
}

function screen(updateFor: string | undefined): string {
  const openPluggy = () => ({ close: () => {} });
  return renderToString(<Connect session="" updateFor={updateFor} openPluggy={openPluggy} />);
}
