/** Two letters in a stable colour, shown in the list instead of the bank's logo, which belongs to the bank. */
import type { BankOption } from '../generated/BankOption';
import { fold } from './bank-search';

/** The number of `data-hue` colours in the style sheet. */
export const HUES = 8;

const SMALL_WORDS = new Set(['banco', 'bco', 'da', 'de', 'do', 'e', 's', 'a', 'sa', 'the']);

type Monogram = { letters: string; hue: number };

export function monogramOf({ code, name }: BankOption): Monogram {
  const words = fold(name).split(' ');
  const telling = words.filter((word) => !SMALL_WORDS.has(word));
  const [first = '?', second = ''] = telling.length > 0 ? telling : words;
  const letters = second === '' ? first.slice(0, 2) : first.charAt(0) + second.charAt(0);
  const sum = [...`${code}${name}`].reduce((total, char) => (total * 31 + (char.codePointAt(0) ?? 0)) % 9973, 7);
  return { letters: letters.toUpperCase(), hue: sum % HUES };
}
