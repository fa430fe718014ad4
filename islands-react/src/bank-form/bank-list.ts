/** The list of banks as people know it: with brands, the most used first. */
import type { BankOption, SaveBankForm } from "../generated/types";
import { BRANDS, type Brand, MOST_USED } from "./bank-brands";
import { coreName, fold, hasWords } from "./bank-words";

export type ListedBank = {
	/** Identifies the row: a list may have two banks of one code. */
	key: string;
	/** The server's code, which the form sends. */
	code: string;
	/** The brand, or the list's name of a bank that has none or is called by it. */
	label: string;
	/** The list's name, unless it is the label: it is always shown. */
	fullName: string | undefined;
	/** The server's name and the brand's, for the search. */
	otherNames: readonly string[];
	/** The brand's COMPE code, which the server's may differ from. */
	compe: string | undefined;
	/** Its place among the most used, else `BRANDED` or `UNBRANDED`. */
	place: number;
	/** Whether the list begins with it. */
	isFirst: boolean;
};

export const BRANDED = MOST_USED.length;
const UNBRANDED = BRANDED + 1;

const MOST_USED_SHOWN = 8;

const alphabet = new Intl.Collator("pt-BR", { numeric: true });

/** The most used banks first, then the others from A to Z. */
export function bankList(banks: readonly BankOption[]): ListedBank[] {
	const listed = withBrands(banks).sort((a, b) =>
		alphabet.compare(a.label, b.label),
	);
	const mostUsed = listed
		.filter(({ place }) => place < BRANDED)
		.sort((a, b) => a.place - b.place)
		.slice(0, MOST_USED_SHOWN);
	for (const bank of mostUsed) bank.isFirst = true;
	return [...mostUsed, ...listed.filter((bank) => !bank.isFirst)];
}

type SavedBank = Pick<SaveBankForm, "bank" | "bankName" | "bankKey">;

/**
 * The bank of a code: of several the one with this key or, for what was saved without one, the one that the picker shows
 * under this name. Undefined if there is none.
 */
export function savedBank(
	list: readonly ListedBank[],
	{ bank, bankName, bankKey }: SavedBank,
): ListedBank | undefined {
	const ofCode = list.filter(({ code }) => code === bank);
	const isSaved = (one: ListedBank) =>
		bankKey === "" ? one.label === bankName : shortKey(one) === bankKey;
	return ofCode.find(isSaved) ?? ofCode[0];
}

/** A bank's key, short enough for the session: its FNV-1a hash in 32 bits. */
export function shortKey({ key }: ListedBank): string {
	let hash = 0x811c9dc5;
	for (const byte of new TextEncoder().encode(key))
		hash = Math.imul(hash ^ byte, 0x01000193);
	return (hash >>> 0).toString(36);
}

/**
 * A brand is shown for one bank only, the one that fits best: of "Nu Pagamentos" and "Nu Financeira" the first is
 * Nubank. The search finds the others by the brand, too.
 */
function withBrands(options: readonly BankOption[]): ListedBank[] {
	const banks = [
		...new Map(options.map((bank) => [keyOf(bank), bank])).values(),
	];
	const fits = banks
		.map((option) => ({ option, ...fitOf(option) }))
		.sort((a, b) => a.distance - b.distance);
	const shown = new Set<Brand>();
	return fits.map(({ option, brand }) => {
		const { code, name } = option;
		const otherNames = brand
			? [name, brand.name, ...brand.registered, ...brand.nicknames]
			: [name];
		const listed = { key: keyOf(option), code, otherNames, isFirst: false };
		if (brand === undefined || shown.has(brand)) {
			return {
				...listed,
				label: name,
				fullName: undefined,
				compe: undefined,
				place: UNBRANDED,
			};
		}
		shown.add(brand);
		const isCalledByIt = fold(name) === fold(brand.name);
		const label = isCalledByIt ? name : brand.name;
		const fullName = isCalledByIt ? undefined : name;
		const place = MOST_USED.indexOf(brand.code);
		return {
			...listed,
			label,
			fullName,
			compe: brand.code,
			place: place < 0 ? BRANDED : place,
		};
	});
}

function keyOf({ code, name }: BankOption): string {
	return `${code} ${name}`;
}

/** Distances: a name of the brand, by its place; a name that says more; a name of the brand under another code. */
const LONGER_NAME = 100;
const OTHER_CODE = 200;

/**
 * The brand of a bank. Its name has to be one of the brand's, since the list's codes may be others than COMPE's; with
 * the brand's code it may say more than that.
 */
function fitOf({ code, name }: BankOption): {
	brand: Brand | undefined;
	distance: number;
} {
	const core = coreName(name);
	const ofCode = NAMES.find(
		({ brand }) => brand.code === code.padStart(3, "0"),
	);
	if (ofCode?.names.some((known) => hasWords(core, known))) {
		const place = ofCode.names.indexOf(core);
		return { brand: ofCode.brand, distance: place < 0 ? LONGER_NAME : place };
	}
	const ofName = NAMES.find(({ names }) => names.includes(core));
	return {
		brand: ofName?.brand,
		distance: OTHER_CODE + (ofName?.names.indexOf(core) ?? 0),
	};
}

/** The core names of each brand, the likeliest first. */
const NAMES = BRANDS.map((brand) => ({
	brand,
	names: [brand.name, ...brand.registered].map(coreName),
}));
