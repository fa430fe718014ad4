/** Renders the bank form with tokens that the server replaces. Built for Node; build.mjs runs it. */
import { renderToString } from 'react-dom/server';
import { BankForm } from './BankForm';
import { eachField } from './fields';

const FIXED = [
  ['open', false, false],
  ['name-fixed', true, false],
  ['cpf-fixed', false, true],
  ['both-fixed', true, true],
] as const;

const ASKED = [
  ['asked-again', true],
  ['asked-once', false],
] as const;

/** One screen per combination of read-only fields and of how often the bank is asked (`steps/bank_form.rs` picks one). */
export function prerender(): Record<string, string> {
  const all = FIXED.flatMap(([fixed, nameIsFixed, cpfIsFixed]) =>
    ASKED.map(([asked, bankIsAskedAgain]) => [
      `${fixed}-${asked}`,
      screen({ nameIsFixed, cpfIsFixed, bankIsAskedAgain }),
    ]),
  );
  return Object.fromEntries(all);
}

function screen(flags: { nameIsFixed: boolean; cpfIsFixed: boolean; bankIsAskedAgain: boolean }): string {
  const saved = { bank: '', bankName: '', clientIsCompany: false, ...eachField((field) => `{{${field}}}`), ...flags };
  return renderToString(<BankForm session="" saved={saved} firm="{{customerName}}" clientName="" />);
}
