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
      purpose="{{purpose}}"
      accept={() => Promise.resolve(true)}
    />,
  );
  // Without JavaScript nothing could enable the button, so the browser checks the tick, and the server. With JavaScript
  // the page's script does, from before the first paint.
  return { consent: screen.replace(' aria-disabled="true"', '').replace(' noValidate=""', '') };
}
