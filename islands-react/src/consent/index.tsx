import { island } from '../mount';
import { Consent } from './Consent';

export const mount = island('consent', ({ context, host }) => {
  const { session, customerName, clientName } = context;
  // The context lacks these: the server writes them into the prerendered screen only.
  const clientDocument = host.querySelector('[data-client-document]')?.textContent ?? '';
  const text = host.querySelector<HTMLInputElement>('[name=text]')?.value ?? '';
  const purpose = host.querySelector('[data-purpose]')?.textContent ?? '';
  return <Consent {...{ session, text, customerName, clientName, clientDocument, purpose }} />;
});
