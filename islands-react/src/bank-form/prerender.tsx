/** Renders the bank form with tokens that the server replaces. Built for Node; build.mjs runs it. */
import { renderToString } from 'react-dom/server';
import { BankForm } from './BankForm';
import { eachField, type Field } from './fields';

/** The sets of read-only fields. */
const FIXED: Field[][] = [[], ['name'], ['cpf'], ['name', 'cpf']];

/** One screen per set and per how often the bank is asked (`steps/bank_form.rs` picks one): "name-asked-again". */
export function prerender(): Record<string, string> {
  const all = FIXED.flatMap((fixed) => [
    [[...fixed, 'asked-again'].join('-'), screen(fixed, true)],
    [[...fixed, 'asked-once'].join('-'), screen(fixed, false)],
  ]);
  return Object.fromEntries(all);
}

function screen(fixed: Field[], bankIsAskedAgain: boolean): string {
  const tokens = eachField((field) => `{{${field}}}`);
  const saved = { bank: '', bankName: '', fixed, bankIsAskedAgain, clientIsCompany: false, ...tokens };
  return renderToString(<BankForm session="" saved={saved} firm="{{customerName}}" clientName="" />);
}
