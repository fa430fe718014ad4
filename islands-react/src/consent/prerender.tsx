/** Renders the consent screen with tokens that the server replaces. Built for Node; build.mjs runs it. */
import { renderToString } from 'react-dom/server';
import { Consent } from './Consent';

export function prerender(): Record<string, string> {
  const screen = renderToString(
    <Consent
      session="{{session}}"
      customerName="{{customerName}}"
      clientName="{{clientName}}"
      clientDocument="{{clientDocument}}"
      accept={() => Promise.resolve(true)}
    />,
  );
  // Without JavaScript nothing could enable the button, so the server checks the tick. With JavaScript the page's
  // script disables it before the first paint.
  return { consent: screen.replace(' disabled=""', '') };
}
