/** Which fields the session fixes (spec §2: read-only when the client is the administrator). */
import type { BankFormContext } from '../generated/BankFormContext';
import { bareDocument, isCpfShaped } from './rules';

export type Locks = { name: boolean; cpf: boolean };

/**
 * A company whose saved "administrator's CPF" is its own CNPJ keeps an open field: a CNPJ never passes as a CPF,
 * and a read-only field would leave the person without a way on.
 */
export function locksOf(clientName: string, form: BankFormContext): Locks {
  const document = bareDocument(form.adminCpfcnpj);
  return {
    name: form.adminName !== '' && clientName === form.adminName,
    cpf: isCpfShaped(document) && bareDocument(form.clientCpfcnpj) === document,
  };
}
