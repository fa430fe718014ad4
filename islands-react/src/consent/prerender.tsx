/** Built for node and run by build.mjs: the consent screen with tokens that the server replaces. */
import { renderToString } from 'react-dom/server';
import { Consent } from './Consent';

export function prerender(): string {
  return renderToString(
    <Consent
      session="{{session}}"
      customerName="{{customerName}}"
      clientName="{{clientName}}"
      clientDocument="{{clientDocument}}"
      accept={() => Promise.resolve('stays')}
    />,
  );
}
