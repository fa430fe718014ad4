/** Built for node and run by build.mjs: the consent screen with tokens that the server replaces. */
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
  // Without JavaScript nothing could enable the button: there the server asks for the tick. With JavaScript the
  // page's script disables it before the first paint.
  return { consent: screen.replace(' disabled=""', '') };
}
