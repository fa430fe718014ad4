/**
 * Letters shown in the list instead of the bank's logo, which belongs to the bank. One tint for all: a bank's colour
 * beside the name of another misleads.
 */
import { fold } from './bank-words';

/** They would make all cooperatives look alike. */
const SMALL_WORDS = new Set(['a', 'da', 'das', 'de', 'do', 'dos', 'e', 'o', 'cooperativa', 'credito']);

/** "BB" for Banco do Brasil, "NU" for Nubank, "BTG" for BTG Pactual. */
export function monogramOf(label: string): string {
  const [acronym] = /^[A-Z0-9]{2,3}\b/.exec(label) ?? [];
  if (acronym !== undefined) return acronym;
  const words = fold(label).split(' ');
  const telling = words.filter((word) => !SMALL_WORDS.has(word));
  const [first = '', second = ''] = telling.length > 0 ? telling : words;
  return (second === '' ? first.slice(0, 2) : first.charAt(0) + second.charAt(0)).toUpperCase();
}
