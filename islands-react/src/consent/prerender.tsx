/**
 * Renders the consent screen with tokens that the server replaces, once for each purpose, and its text alone. Built for
 * Node; build.mjs runs it.
 */
import { renderToString } from 'react-dom/server';
import { consentPurposes } from '../messages';
import { Consent } from './Consent';
import { shownText } from './shown-text';

export function prerender(): Record<string, string> {
  const { company, individual } = consentPurposes;
  return { company: screen(company), individual: screen(individual), own: screen('{{purpose}}') };
}

/** What the screens say, by their names. */
export function texts(): Record<string, string> {
  return Object.fromEntries(Object.entries(prerender()).map(([name, html]) => [name, shownText(html)]));
}

function screen(purpose: string): string {
  return renderToString(
    <Consent
      session="{{session}}"
      text="{{text}}"
      customerName="{{customerName}}"
      clientName="{{clientName}}"
      clientDocument="{{clientDocument}}"
      purpose={purpose}
    />,
  );
}
