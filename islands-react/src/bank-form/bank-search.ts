/** Finds banks by brand, registered name, nickname or code. Tolerates missing and extra words and typos. */
import { BRANDED, type ListedBank } from "./bank-list";
import {
	fold,
	isSameCode,
	type Kind,
	kindOf,
	significantWords,
} from "./bank-words";

/** A name without spaces: all of its words, and its significant ones. */
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

type Query = Joined & { words: readonly string[]; kind: Kind };

type Match = { bank: ListedBank; rank: number; account: number };

/** How the account of a bank fits the text, of banks with the same rank; lower is better. */
const ACCOUNT = {
	/** The text is the label. */
	named: 0,
	sameKind: 1,
	/** Only the text or only the bank says for whom the account is. */
	oneKind: 2,
	otherKind: 3,
} as const;

/** How a bank matches; lower is better. Within a rank: the most used, then brands, each from A to Z. */
const RANK = {
	exact: 0,
	startOfLabel: 1,
	startOfOtherName: 2,
	startsOfWords: 3,
	insideWords: 4,
	startOfCode: 5,
	typo: 6,
	/** Some words match. The share of letters that do not match is added. */
	someWords: 7,
	none: 9,
} as const;

/** The minimum for matches inside words: fewer letters are part of too many names. */
const MIN_LETTERS_INSIDE = 3;

/** The minimum for a certain match: fewer letters begin too many names. */
const MIN_LETTERS_CERTAIN = 3;

/** The minimum for typos: shorter words are too similar, such as "neon" and "next". */
const MIN_LETTERS_TYPO = 5;

export type Found = {
	banks: readonly ListedBank[];
	/** The first bank, if no other matches as well. */
	certain: ListedBank | undefined;
};

/** Prepares a list for the search. */
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

/** Finds the banks that match a text, best first. An empty text finds nothing. */
export function searchBanks(
	banks: readonly SearchableBank[],
	text: string,
): Found {
	const all = fold(text).split(" ");
	const query: Query = {
		...join(all),
		words: significantWords(all),
		kind: kindOf(all.join(" ")),
	};
	if (query.whole === "") return { banks: [], certain: undefined };
	const ranked = (
		rankOf: (one: SearchableBank, query: Query) => number,
	): Match[] =>
		banks
			.map((one) => ({
				bank: one.bank,
				rank: rankOf(one, query),
				account: accountOf(one, query),
			}))
			.filter(({ rank }) => rank < RANK.none);
	const matches = ranked(plainRank);
	if (!matches.some(({ rank }) => rank < RANK.insideWords)) {
		const found = new Set(matches.map(({ bank }) => bank));
		matches.push(...ranked(typoRank).filter(({ bank }) => !found.has(bank)));
	}
	if (matches.length === 0) matches.push(...ranked(someWordsRank));
	// Sorting is stable, so banks of equal rank and place keep the order of the list.
	matches.sort(
		(a, b) =>
			a.rank - b.rank || a.account - b.account || a.bank.place - b.bank.place,
	);
	return {
		banks: matches.map(({ bank }) => bank),
		certain: certainOf(matches, query),
	};
}

function accountOf({ bank, names }: SearchableBank, query: Query): number {
	if (names[0]?.whole === query.whole) return ACCOUNT.named;
	if (bank.kind === query.kind) return ACCOUNT.sameKind;
	return bank.kind === "any" || query.kind === "any"
		? ACCOUNT.oneKind
		: ACCOUNT.otherKind;
}

function plainRank(
	{ bank, names, words, code }: SearchableBank,
	query: Query,
): number {
	const starts = (text: string, typed: string) => text.startsWith(typed);
	const isExact = isAnyName(names, query, (text, typed) => text === typed);
	if (isExact || isSameCode(code, query.whole)) return RANK.exact;
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
	const isCompe =
		bank.compe !== undefined && isSameCode(bank.compe, query.whole);
	return code.startsWith(query.whole) || isCompe ? RANK.startOfCode : RANK.none;
}

function typoRank({ names, words }: SearchableBank, query: Query): number {
	if (isAnyName(names, query, beginsDespiteTypo)) return RANK.typo;
	return query.words.every((typed) => words.some((word) => begins(word, typed)))
		? RANK.typo
		: RANK.none;
}

/** Ranks by the share of letters in matching words, as in "bradesco net empresa". */
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

/** Returns the best match if it can be chosen without asking: no other bank matches as well. */
function certainOf(
	[first, second]: readonly Match[],
	query: Query,
): ListedBank | undefined {
	if (first === undefined) return undefined;
	if (first.rank >= RANK.someWords || first.rank === RANK.startOfCode)
		return undefined;
	const isShort = query.significant.length < MIN_LETTERS_CERTAIN;
	if (isShort && first.rank !== RANK.exact) return undefined;
	if (second === undefined) return first.bank;
	// Several matches by typo or inside words are uncertain, and "banc" begins half of the names.
	if (first.rank > RANK.startsOfWords || "banco".startsWith(query.significant))
		return undefined;
	// All of the most used banks count as equally popular.
	const popularity = ({ place }: ListedBank): number =>
		Math.max(place, BRANDED - 1);
	const isRival =
		first.rank === second.rank &&
		first.account === second.account &&
		popularity(first.bank) === popularity(second.bank);
	return isRival ? undefined : first.bank;
}

/** Returns whether any name passes the test, compared in whole or by significant words. */
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

function join(words: readonly string[]): Joined {
	return {
		whole: words.join(""),
		significant: significantWords(words).join(""),
	};
}

function begins(word: string, typed: string): boolean {
	return word.startsWith(typed) || beginsDespiteTypo(word, typed);
}

/** Returns whether `word` starts with `typed` despite one wrong, missing, extra or swapped letter. */
function beginsDespiteTypo(word: string, typed: string): boolean {
	if (typed.length < MIN_LETTERS_TYPO) return false;
	let at = 0;
	while (at < typed.length && typed[at] === word[at]) at += 1;
	const isSwapped = typed[at] === word[at + 1] && typed[at + 1] === word[at];
	return (
		continues(word, at + 1, typed, at + 1) || // a wrong letter, or no typo
		continues(word, at + 1, typed, at) || // a missing letter
		continues(word, at, typed, at + 1) || // an extra letter
		(isSwapped && continues(word, at + 2, typed, at + 2))
	);
}

/**
 * Returns whether `word` at `from` starts with the rest of `typed`. It makes no copies, because it runs
 * for every word of the list.
 */
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
