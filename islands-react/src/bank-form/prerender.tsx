/** Renders the bank form with tokens that the server replaces. Built for Node; build.mjs runs it. */
import { renderToString } from 'react-dom/server';
import { BankForm } from './BankForm';

/** One screen per combination of read-only fields (`steps/bank_form.rs` picks one). */
export function prerender(): Record<string, string> {
  return {
    open: screen(false, false),
    'name-fixed': screen(true, false),
    'cpf-fixed': screen(false, true),
    'both-fixed': screen(true, true),
  };
}

function screen(nameIsFixed: boolean, cpfIsFixed: boolean): string {
  return renderToString(
    <BankForm
      saved={{ bank: '', name: '{{name}}', nameIsFixed, cpf: '{{cpf}}', cpfIsFixed }}
      loadBanks={() => Promise.resolve(undefined)}
      save={() => Promise.resolve({ status: 'leaves' })}
    />,
  );
}
