/**
 * Rules of the bank form (spec §5), for immediate feedback; the server enforces its own. `rules.test.ts` runs the CPF
 * rule against the same table as the server's tests.
 */
import type { BankFormField, FieldErrorCode } from '../generated/types';
import { BANK_FORM_FIELDS } from '../wire';
import { fold } from './bank-words';

export type Fields = Record<BankFormField, string>;
export type FieldErrors = Partial<Record<BankFormField, FieldErrorCode>>;

/** Screen order: the first invalid field gets the focus. */
export const FIELD_ORDER = Object.keys(BANK_FORM_FIELDS) as readonly BankFormField[];

export function checkFields(fields: Fields): FieldErrors {
  const errors: FieldErrors = {};
  if (fields.bank === '') errors.bank = 'required';
  if (fields.name.trim() === '') errors.name = 'required';
  const cpf = parseCpf(fields.cpf);
  if (!cpf.ok) errors.cpf = cpf.error;
  return errors;
}

/** Banks know people by several names, so one alone is hardly complete. */
export function isOneWord(name: string): boolean {
  return /^\S+$/.test(name.trim());
}

/** Whether two names differ at most in case, accents, punctuation and spaces. */
export function isSameName(one: string, other: string): boolean {
  return fold(one) !== '' && fold(one) === fold(other);
}

type ParsedCpf = { ok: true; digits: string } | { ok: false; error: FieldErrorCode };

/** Ignores dots, dashes, slashes and spaces; any other character that is not an ASCII digit is invalid. */
export function parseCpf(text: string): ParsedCpf {
  const bare = bareDocument(text);
  if (bare === '') return { ok: false, error: 'required' };
  if (!/^[0-9]{11}$/.test(bare) || /^(.)\1*$/.test(bare)) return { ok: false, error: 'invalid' };
  const digits = [...bare].map(Number);
  const right = [9, 10].every((at) => checkDigit(digits.slice(0, at)) === digits[at]);
  return right ? { ok: true, digits: bare } : { ok: false, error: 'invalid' };
}

/** Weights from 2 upwards from the right, modulo 11; a remainder below 2 gives 0. */
function checkDigit(digits: readonly number[]): number {
  const sum = digits.reduce((total, digit, at) => total + digit * (digits.length + 1 - at), 0);
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

/** A CPF or CNPJ without punctuation; a CNPJ may have letters (design D15). */
export function bareDocument(text: string): string {
  return text.replace(/[\s./-]/g, '').toUpperCase();
}
