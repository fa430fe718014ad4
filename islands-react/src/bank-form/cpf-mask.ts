/** The CPF mask 000.000.000-00. Own 30 lines instead of a 3 kB library: one fixed pattern, digits only. */

const MAX_DIGITS = 11;

/** Masks typed or pasted text: at most 11 digits, punctuated. */
export function maskCpf(text: string): string {
  const digits = digitsOf(text).slice(0, MAX_DIGITS);
  const [a, b, c, check] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 9), digits.slice(9)];
  return [a, b, c].filter((group) => group !== '').join('.') + (check === '' ? '' : `-${check}`);
}

/** Maps a caret position in the typed text to the masked text: after the same number of digits. */
export function maskedCaret(typed: string, caret: number, masked: string): number {
  const wanted = digitsOf(typed.slice(0, caret)).length;
  let seen = 0;
  for (let at = 0; at < masked.length; at += 1) {
    if (seen === wanted) return at;
    if (isDigit(masked.charAt(at))) seen += 1;
  }
  return masked.length;
}

function digitsOf(text: string): string {
  return [...text].filter(isDigit).join('');
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9' && char.length === 1;
}
