/** Finds banks by brand, registry name, nickname or code, forgiving what people leave out, add and mistype. */
import { type BankList, BRANDED, type ListedBank } from './bank-list';
import { fold, tellingWords } from './bank-words';
import { beginsDespiteTypo } from './one-typo';

/** A name without spaces: all of it, and its telling words. */
type Joined = { whole: string; telling: string };

/** A bank with its search terms, prepared once per list. */
export type SearchableBank = {
  bank: ListedBank;
  label: Joined;
  otherNames: readonly Joined[];
  /** The telling words of all names, each once. */
  words: readonly string[];
  code: string;
  compe: string | undefined;
};

/** What was typed, folded. */
type Query = Joined & { words: readonly string[] };

type Match = { bank: ListedBank; rank: number };

/** How a bank matches; less is better. Of one rank the most used come first, then brands, each from A to Z. */
const RANK = {
  exact: 0,
  startOfLabel: 1,
  startOfOtherName: 2,
  startsOfWords: 3,
  insideWords: 4,
  startOfCode: 5,
  typo: 6,
  /** Some words match; plus the share of the letters that do not. */
  someWords: 7,
  none: 9,
} as const;

/** Fewer letters are in too many names. */
const MIN_LETTERS_INSIDE = 3;

/** Fewer letters begin too many names to mean one of them. */
const MIN_LETTERS_MEANT = 3;

export type Found = {
  /** The matching banks, best first. */
  banks: readonly ListedBank[];
  /** The first of them, if the text fits no other as well. */
  meant: ListedBank | undefined;
};

export function searchable({ mostUsed, others }: BankList): SearchableBank[] {
  return [...mostUsed, ...others].map((bank) => {
    const names = [bank.label, bank.name, ...bank.otherNames].map((name) => fold(name).split(' '));
    const [label = { whole: '', telling: '' }, ...otherNames] = names.map(join);
    return {
      bank,
      label,
      otherNames,
      words: [...new Set(names.flatMap(tellingWords))],
      code: fold(bank.code).replaceAll(' ', ''),
      compe: bank.compe,
    };
  });
}

/** An empty query finds nothing. */
export function searchBanks(banks: readonly SearchableBank[], text: string): Found {
  const all = fold(text).split(' ');
  const query: Query = { ...join(all), words: tellingWords(all) };
  if (query.whole === '') return { banks: [], meant: undefined };
  const matches = rank(banks, query, plainRank);
  if (!matches.some((match) => match.rank < RANK.insideWords)) {
    const found = new Set(matches.map(({ bank }) => bank));
    matches.push(...rank(banks, query, typoRank).filter(({ bank }) => !found.has(bank)));
  }
  if (matches.length === 0) matches.push(...rank(banks, query, someWordsRank));
  // Sorting is stable, and the list is in order.
  matches.sort((a, b) => a.rank - b.rank || a.bank.place - b.bank.place);
  return { banks: matches.map(({ bank }) => bank), meant: meant(matches, query) };
}

function rank(
  banks: readonly SearchableBank[],
  query: Query,
  rankOf: (one: SearchableBank, query: Query) => number,
): Match[] {
  const matches: Match[] = [];
  for (const one of banks) {
    const rank = rankOf(one, query);
    if (rank < RANK.none) matches.push({ bank: one.bank, rank });
  }
  return matches;
}

function plainRank({ label, otherNames, words, code, compe }: SearchableBank, query: Query): number {
  const is = (name: Joined) => fits(name, query, (text, typed) => text === typed);
  if (is(label) || otherNames.some(is) || isCode(code, query.whole)) return RANK.exact;
  const starts = (name: Joined) => fits(name, query, (text, typed) => text.startsWith(typed));
  if (starts(label)) return RANK.startOfLabel;
  if (otherNames.some(starts)) return RANK.startOfOtherName;
  if (query.words.every((typed) => words.some((word) => word.startsWith(typed)))) return RANK.startsOfWords;
  if (query.telling.length >= MIN_LETTERS_INSIDE) {
    if (query.words.every((typed) => words.some((word) => word.includes(typed)))) return RANK.insideWords;
  }
  return code.startsWith(query.whole) || isCode(compe, query.whole) ? RANK.startOfCode : RANK.none;
}

function typoRank({ label, otherNames, words }: SearchableBank, query: Query): number {
  const isNear = (name: Joined) => fits(name, query, beginsDespiteTypo);
  if (isNear(label) || otherNames.some(isNear)) return RANK.typo;
  return query.words.every((typed) => words.some((word) => begins(word, typed))) ? RANK.typo : RANK.none;
}

/** For "bradesco net empresa": the more letters are of words that match, the better. */
function someWordsRank({ words }: SearchableBank, query: Query): number {
  const matching = query.words.filter(
    (typed) => typed.length >= MIN_LETTERS_INSIDE && words.some((word) => begins(word, typed)),
  );
  if (matching.length === 0) return RANK.none;
  return RANK.someWords + 1 - matching.join('').length / query.telling.length;
}

function begins(word: string, typed: string): boolean {
  return word.startsWith(typed) || beginsDespiteTypo(word, typed);
}

/** What may be taken without a look at the list: a bank beside which no other fits as well. */
function meant([first, second]: readonly Match[], query: Query): ListedBank | undefined {
  if (first === undefined || first.rank >= RANK.someWords || first.rank === RANK.startOfCode) return undefined;
  if (first.rank !== RANK.exact && query.telling.length < MIN_LETTERS_MEANT) return undefined;
  if (second === undefined) return first.bank;
  // Of several typos or inner parts none is sure, and "banc" begins half of the list.
  if (first.rank > RANK.startsOfWords || 'banco'.startsWith(query.telling)) return undefined;
  const isRival = first.rank === second.rank && fame(first.bank) === fame(second.bank);
  return isRival ? undefined : first.bank;
}

/** The most used are equally famous. */
function fame({ place }: ListedBank): number {
  return Math.max(place, BRANDED - 1);
}

/** Compares a name with what was typed, in whole and by its telling words. */
function fits(name: Joined, query: Joined, test: (text: string, typed: string) => boolean): boolean {
  return test(name.whole, query.whole) || test(name.whole, query.telling) || test(name.telling, query.telling);
}

/** Codes are typed with and without leading zeros. */
function isCode(code: string | undefined, typed: string): boolean {
  return code !== undefined && code.padStart(3, '0') === typed.padStart(3, '0');
}

function join(words: readonly string[]): Joined {
  return { whole: words.join(''), telling: tellingWords(words).join('') };
}
