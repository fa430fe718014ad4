import { listBanks, saveBankForm } from '../api';
import type { FieldError } from '../generated/types';
import { island } from '../mount';
import { keep, kept } from '../page/kept';
import { isRecord } from '../wire';
import { BankForm, type Draft, type Loaded, type Saved } from './BankForm';
import { maskCpf } from './cpf-mask';
import { bareDocument, type FieldErrors, type Fields } from './rules';

export const mount = island('bank-form', ({ context, host }) => {
  const { session, bankForm, clientName, customerName } = context;
  if (bankForm === null) throw new Error('context without bank form');

  async function loadBanks(): Promise<Loaded> {
    const outcome = await listBanks({ session });
    if (outcome.ok) return { status: 'ready', banks: outcome.data.banks };
    return { status: window.vincula.handleFailure(outcome.failure) ? 'failed' : 'leaves' };
  }

  async function save({ bank, name, cpf }: Fields, bankName: string): Promise<Saved> {
    const outcome = await saveBankForm({ session, bank, bankName, name: name.trim(), cpf: bareDocument(cpf) });
    if (outcome.ok) {
      keep('form', session, undefined);
      // Connect's page does not know it.
      keep('bank', session, bankName);
      window.vincula.replace(outcome.data.to);
      return { status: 'leaves' };
    }
    const { failure } = outcome;
    if (failure.kind === 'invalid') return { status: 'stays', errors: byField(failure.fields) };
    return window.vincula.handleFailure(failure) ? { status: 'stays', errors: {} } : { status: 'leaves' };
  }

  // What was typed before hydration comes before what was typed before a reload.
  const typed = (field: string) => host.querySelector<HTMLInputElement>(`input[name="${field}"]`)?.value;
  const entered = { ...bankForm, ...draftOf(session) };
  const typedName = typed('name');
  if (bankForm.nameIsFixed) entered.name = bankForm.name;
  else if (typedName !== undefined && typedName !== bankForm.name) entered.name = typedName;
  entered.cpf = maskCpf(typed('cpf') ?? bankForm.cpf);
  return (
    <BankForm
      saved={entered}
      firm={customerName}
      clientName={clientName}
      loadBanks={loadBanks}
      save={save}
      keepDraft={(draft) => keep('form', session, draft)}
    />
  );
});

/** What was entered before a reload. */
function draftOf(session: string): Partial<Draft> {
  const draft = kept('form', session);
  return isRecord(draft) ? (draft as Partial<Draft>) : {};
}

function byField(fields: readonly FieldError[]): FieldErrors {
  return Object.fromEntries(fields.map(({ field, code }) => [field, code]));
}
