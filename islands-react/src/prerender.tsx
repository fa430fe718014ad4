/**
 * The screens of each island as HTML, by name, rendered by the components that later hydrate them. The server replaces their
 * tokens, and picks one in the module of its step (`crates/pages/src/steps`). Built for Node; build.mjs runs it.
 */
import { renderToString } from 'react-dom/server';
import { BankForm } from './bank-form/BankForm';
import { eachField, type Field } from './bank-form/fields';
import { Connect } from './connect/Connect';
import { Consent } from './consent/Consent';
import { shownText } from './consent/shown-text';
import type { WidgetType } from './generated/types';
import { consentPurposes } from './messages';

type Screens = Record<string, string>;

export function consentScreens(): Screens {
  const texts = { session: '{{session}}', text: '{{text}}', customerName: '{{customerName}}' };
  const client = { clientName: '{{clientName}}', clientDocument: '{{clientDocument}}' };
  const screen = (purpose: string) => renderToString(<Consent {...texts} {...client} purpose={purpose} />);
  const { company, individual } = consentPurposes;
  return { company: screen(company), individual: screen(individual), own: screen('{{purpose}}') };
}

/** What the consent's screens say, by their names. */
export function consentTexts(): Screens {
  return Object.fromEntries(Object.entries(consentScreens()).map(([name, html]) => [name, shownText(html)]));
}

/** The sets of fields that are read-only. */
const FIXED: Field[][] = [[], ['name'], ['cpf'], ['name', 'cpf']];

/** One for each set, and for how often the bank is asked: "name-asked-again". */
export function bankFormScreens(): Screens {
  const tokens = eachField((field) => `{{${field}}}`);
  const screen = (fixed: Field[], bankIsAskedAgain: boolean) => {
    const saved = { bank: '', bankName: '', fixed, bankIsAskedAgain, clientIsCompany: false, ...tokens };
    return renderToString(<BankForm session="" saved={saved} firm="{{customerName}}" clientName="" />);
  };
  const both = FIXED.flatMap((fixed) => [
    [[...fixed, 'asked-again'].join('-'), screen(fixed, true)],
    [[...fixed, 'asked-once'].join('-'), screen(fixed, false)],
  ]);
  return Object.fromEntries(both);
}

/** One for a new connection and one for an update, as they are while they request a token. */
export function connectScreens(): Screens {
  const texts = { session: '', customerName: '{{customerName}}', bank: '{{bank}}' };
  const screen = (widgetType: WidgetType) => renderToString(<Connect {...texts} widgetType={widgetType} />);
  return { opening: screen('new'), updating: screen('update') };
}
