/** Finds banks by brand, registry name, nickname or code, forgiving what people leave out, add and mistype. */
import { BRANDED, type ListedBank } from "./bank-list";
import { fold, significantWords } from "./bank-words";

/** A name without spaces: all of it, and its significant words. */
type Joined = { whole: string; significant: string };

/** A bank with its search terms, prepared once per list. */
export type SearchableBank = {
	bank: ListedBank;
	/** The label first. */
	names: readonly Joined[];
	/** The significant words of all names, each once. */
	words: readonly string[];
	code: string;
};

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
const MIN_LETTERS_CERTAIN = 3;

/** Shorter words have too many neighbours: "neon" and "next", "cora" and "cor". */
const MIN_LETTERS_TYPO = 5;

export type Found = {
	banks: readonly ListedBank[];
	/** The first of them, if the text fits no other as well. */
	certain: ListedBank | undefined;
};

export function searchable(list: readonly ListedBank[]): SearchableBank[] {
	return list.map((bank) => {
		const names = [bank.label, ...bank.otherNames].map((name) =>
			fold(name).split(" "),
		);
		const words = [...new Set(names.flatMap(significantWords))];
		return {
			bank,
			names: names.map(join),
			words,
			code: fold(bank.code).replaceAll(" ", ""),
		};
	});
}

/** An empty query finds nothing. */
export function searchBanks(
	banks: readonly SearchableBank[],
	text: string,
): Found {
	const all = fold(text).split(" ");
	const query: Query = { ...join(all), words: significantWords(all) };
	if (query.whole === "") return { banks: [], certain: undefined };
	const ranked = (
		rankOf: (one: SearchableBank, query: Query) => number,
	): Match[] =>
		banks
			.map((one) => ({ bank: one.bank, rank: rankOf(one, query) }))
			.filter(({ rank }) => rank < RANK.none);
	const matches = ranked(plainRank);
	if (!matches.some(({ rank }) => rank < RANK.insideWords)) {
		const found = new Set(matches.map(({ bank }) => bank));
		matches.push(...ranked(typoRank).filter(({ bank }) => !found.has(bank)));
	}
	if (matches.length === 0) matches.push(...ranked(someWordsRank));
	// Sorting is stable, and the list is in order.
	matches.sort((a, b) => a.rank - b.rank || a.bank.place - b.bank.place);
	return {
		banks: matches.map(({ bank }) => bank),
		certain: certainOf(matches, query),
	};
}

function plainRank(
	{ bank, names, words, code }: SearchableBank,
	query: Query,
): number {
	const starts = (text: string, typed: string) => text.startsWith(typed);
	const isExact = isAnyName(names, query, (text, typed) => text === typed);
	if (isExact || isCode(code, query.whole)) return RANK.exact;
	if (isAnyName(names.slice(0, 1), query, starts)) return RANK.startOfLabel;
	if (isAnyName(names, query, starts)) return RANK.startOfOtherName;
	if (
		query.words.every((typed) => words.some((word) => word.startsWith(typed)))
	)
		return RANK.startsOfWords;
	if (query.significant.length >= MIN_LETTERS_INSIDE) {
		if (
			query.words.every((typed) => words.some((word) => word.includes(typed)))
		)
			return RANK.insideWords;
	}
	return code.startsWith(query.whole) || isCode(bank.compe, query.whole)
		? RANK.startOfCode
		: RANK.none;
}

function typoRank({ names, words }: SearchableBank, query: Query): number {
	if (isAnyName(names, query, beginsDespiteTypo)) return RANK.typo;
	return query.words.every((typed) => words.some((word) => begins(word, typed)))
		? RANK.typo
		: RANK.none;
}

/** For "bradesco net empresa": the more letters are of words that match, the better. */
function someWordsRank({ words }: SearchableBank, query: Query): number {
	const matching = query.words.filter(
		(typed) =>
			typed.length >= MIN_LETTERS_INSIDE &&
			words.some((word) => begins(word, typed)),
	);
	if (matching.length === 0) return RANK.none;
	return (
		RANK.someWords + 1 - matching.join("").length / query.significant.length
	);
}

/** What may be taken without a look at the list: a bank beside which no other fits as well. */
function certainOf(
	[first, second]: readonly Match[],
	query: Query,
): ListedBank | undefined {
	if (
		first === undefined ||
		first.rank >= RANK.someWords ||
		first.rank === RANK.startOfCode
	)
		return undefined;
	if (
		first.rank !== RANK.exact &&
		query.significant.length < MIN_LETTERS_CERTAIN
	)
		return undefined;
	if (second === undefined) return first.bank;
	// Of several typos or inner parts none is sure, and "banc" begins half of the list.
	if (first.rank > RANK.startsOfWords || "banco".startsWith(query.significant))
		return undefined;
	// The most used are equally popular.
	const popularity = ({ place }: ListedBank): number =>
		Math.max(place, BRANDED - 1);
	const isRival =
		first.rank === second.rank &&
		popularity(first.bank) === popularity(second.bank);
	return isRival ? undefined : first.bank;
}

/** Compares names with what was typed, in whole and by its significant words. */
function isAnyName(
	names: readonly Joined[],
	typed: Joined,
	test: (text: string, typed: string) => boolean,
): boolean {
	return names.some(
		({ whole, significant }) =>
			test(whole, typed.whole) ||
			test(whole, typed.significant) ||
			test(significant, typed.significant),
	);
}

/** Codes are typed with and without leading zeros. */
function isCode(code: string | undefined, typed: string): boolean {
	return code !== undefined && code.padStart(3, "0") === typed.padStart(3, "0");
}

function join(words: readonly string[]): Joined {
	return {
		whole: words.join(""),
		significant: significantWords(words).join(""),
	};
}

function begins(word: string, typed: string): boolean {
	return word.startsWith(typed) || beginsDespiteTypo(word, typed);
}

/** Whether `typed` begins `word`, or would without one slip of the finger: a wrong, missing, extra or swapped letter. */
function beginsDespiteTypo(word: string, typed: string): boolean {
	if (typed.length < MIN_LETTERS_TYPO || typed.length > word.length + 1)
		return false;
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
function continues(
	word: string,
	from: number,
	typed: string,
	rest: number,
): boolean {
	for (let at = 0; rest + at < typed.length; at += 1) {
		if (word[from + at] !== typed[rest + at]) return false;
	}
	return true;
}
