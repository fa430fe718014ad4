/** Finds banks by brand, registry name or code, ignoring accents and case. */
import type { BankOption } from '../generated/BankOption';
import { BRAND_GROUPS } from './bank-brands';

/** A bank with its search terms, prepared once per list. */
type SearchableBank = {
  bank: BankOption;
  name: string;
  otherNames: readonly string[];
  codes: readonly string[];
};

/** The rank of a bank that does not match; a lower rank is a better match. */
const NO_MATCH = 9;

export function searchable(banks: readonly BankOption[]): SearchableBank[] {
  return banks.map((bank) => {
    const name = fold(bank.name);
    const groups = BRAND_GROUPS.filter((group) => group.names.some((known) => hasWords(name, known)));
    return {
      bank,
      name,
      otherNames: groups.flatMap((group) => group.names),
      codes: [bank.code, ...groups.map((group) => group.code)].map(fold),
    };
  });
}

/** The matching banks, best first; for an empty query all of them, in list order. */
export function searchBanks(banks: readonly SearchableBank[], query: string): BankOption[] {
  const wanted = fold(query);
  if (wanted === '') return banks.map(({ bank }) => bank);
  const words = wanted.split(' ');
  return banks
    .map((one, order) => ({ bank: one.bank, order, rank: rankOf(one, wanted, words) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank || a.order - b.order)
    .map(({ bank }) => bank);
}

/** Lower case, without accents and without punctuation. */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function rankOf({ name, otherNames, codes }: SearchableBank, wanted: string, words: readonly string[]): number {
  if (codes.some((code) => code === wanted || withoutZeros(code) === withoutZeros(wanted))) return 0;
  if (name.startsWith(wanted)) return 1;
  if (otherNames.some((other) => other.startsWith(wanted))) return 2;
  if (words.every((word) => startsAWord(name, word))) return 3;
  if (words.every((word) => name.includes(word))) return 4;
  if (codes.some((code) => code.startsWith(wanted))) return 5;
  return NO_MATCH;
}

function startsAWord(text: string, start: string): boolean {
  return ` ${text}`.includes(` ${start}`);
}

function hasWords(text: string, words: string): boolean {
  return ` ${text} `.includes(` ${words} `);
}

function withoutZeros(code: string): string {
  return code.replace(/^0+(?=.)/, '');
}
