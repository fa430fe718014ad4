/** Finds words despite one slip of the finger: a wrong, missing, extra or swapped letter. */

/** Shorter words have too many neighbours: "neon" and "next", "cora" and "cor". */
const MIN_LETTERS = 5;

/** Whether `typed` begins `word`, or would without its one typo. */
export function beginsDespiteTypo(word: string, typed: string): boolean {
  if (typed.length < MIN_LETTERS || typed.length > word.length + 1) return false;
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at += 1;
  const isSwapped = typed[at] === word[at + 1] && typed[at + 1] === word[at];
  return (
    continues(word, at + 1, typed, at + 1) || // a wrong letter, or none
    continues(word, at + 1, typed, at) || // a missing one
    continues(word, at, typed, at + 1) || // one too many
    (isSwapped && continues(word, at + 2, typed, at + 2))
  );
}

/** Whether `word` from here on begins with the rest of `typed`. Without copies: this runs for every word of the list. */
function continues(word: string, from: number, typed: string, rest: number): boolean {
  for (let at = 0; rest + at < typed.length; at += 1) {
    if (word[from + at] !== typed[rest + at]) return false;
  }
  return true;
}
