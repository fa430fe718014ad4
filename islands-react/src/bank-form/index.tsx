import { listBanks, saveBankForm } from '../api';
import type { FieldError } from '../generated/FieldError';
import { island } from '../mount';
import { BankForm, type Saved } from './BankForm';
import { maskCpf } from './cpf-mask';
import { bareDocument, type FieldErrors, type Fields } from './rules';

export const mount = island('bank-form', ({ context, host }) => {
  const { session, bankForm, customerName } = context;
  if (bankForm === null) throw new Error('context without bank form');

  async function loadBanks() {
    const outcome = await listBanks({ session });
    if (outcome.ok) return outcome.data.banks;
    window.vincula.handleFailure(outcome.failure);
    return undefined;
  }

  async function save({ bank, name, cpf }: Fields, bankName: string): Promise<Saved> {
    const outcome = await saveBankForm({ session, bank, bankName, name: name.trim(), cpf: bareDocument(cpf) });
    if (outcome.ok) {
      window.vincula.replace(outcome.data.to);
      return { status: 'leaves' };
    }
    const { failure } = outcome;
    if (failure.kind === 'invalid') return { status: 'stays', errors: byField(failure.fields) };
    return window.vincula.handleFailure(failure) ? { status: 'stays', errors: {} } : { status: 'leaves' };
  }

  // Keeps what the user typed before hydration.
  const typed = (field: string) => host.querySelector<HTMLInputElement>(`input[name="${field}"]`)?.value;
  const saved = { ...bankForm, name: typed('name') ?? bankForm.name, cpf: maskCpf(typed('cpf') ?? bankForm.cpf) };
  return <BankForm saved={saved} firm={customerName} loadBanks={loadBanks} save={save} />;
});

function byField(fields: readonly FieldError[]): FieldErrors {
  return Object.fromEntries(fields.map(({ field, code }) => [field, code]));
}
