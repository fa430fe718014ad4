/** The list of banks as people know it: with brands, the most used first. */
import type { BankOption, SaveBankFormInput } from "../generated/types";
import { BRANDS, type Brand, MOST_USED } from "./bank-brands";
import {
	coreName,
	fold,
	hasWords,
	type Kind,
	kindOf,
	namesAccount,
} from "./bank-words";

export type ListedBank = {
	/** Identifies the row, because a list may have several banks with one code. */
	key: string;
	/** The server's code, which the form sends. */
	code: string;
	/**
	 * The brand's name, or the registered name if there is no brand, if both are the same, or if the
	 * registered name also names a kind of account.
	 */
	label: string;
	/** The registered name, unless it is the label. */
	fullName: string | undefined;
	/** The registered name and the brand's names, for the search. */
	otherNames: readonly string[];
	kind: Kind;
	/** The brand's COMPE code, which may differ from the server's code. */
	compe: string | undefined;
	/** The position among the most used banks, else `BRANDED` or `UNBRANDED`. */
	place: number;
	/** Whether it is one of the most used banks at the top of the list. */
	isFirst: boolean;
};

export const BRANDED = MOST_USED.length;
const UNBRANDED = BRANDED + 1;

const MOST_USED_SHOWN = 8;

const alphabet = new Intl.Collator("pt-BR", { numeric: true });

/** Lists the most used banks first, then the others from A to Z. */
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

export type SavedBank = Pick<SaveBankFormInput, "bank" | "bankName">;

/**
 * Finds a saved bank by its code. Of several banks with this code, it returns the one with the saved
 * name, or else the first. Undefined if none has the code.
 */
export function savedBank(
	list: readonly ListedBank[],
	{ bank, bankName }: SavedBank,
): ListedBank | undefined {
	const ofCode = list.filter(({ code }) => code === bank);
	return ofCode.find(({ label }) => label === bankName) ?? ofCode[0];
}

/**
 * Assigns brands to banks. A brand becomes the label of one bank only, the best match: of "Nu
 * Pagamentos" and "Nu Financeira" the first is Nubank. It becomes the label of none if two match equally,
 * or if the best match is for one kind of account, such as "Itaú Empresas". The search finds all of them
 * by the brand as well.
 */
function withBrands(options: readonly BankOption[]): ListedBank[] {
	const banks = [
		...new Map(options.map((bank) => [keyOf(bank), bank])).values(),
	];
	const fits = banks.map((option) => ({ option, ...fitOf(option) }));
	return fits.map(({ option, brand, distance }) => {
		const { code, name } = option;
		const kind = kindOf(fold(name));
		const otherNames = brand
			? [name, brand.name, ...brand.registered, ...brand.nicknames]
			: [name];
		const listed = {
			key: keyOf(option),
			code,
			label: name,
			fullName: undefined,
			otherNames,
			kind,
			isFirst: false,
		};
		const ofBrand = fits.filter((other) => other.brand === brand);
		const best = Math.min(...ofBrand.map((other) => other.distance));
		if (brand === undefined || distance > best)
			return { ...listed, compe: undefined, place: UNBRANDED };
		const place = MOST_USED.indexOf(brand.code);
		const branded = {
			...listed,
			compe: brand.code,
			place: place < 0 ? BRANDED : place,
		};
		const isOnly =
			ofBrand.filter((other) => other.distance === best).length === 1;
		const isCalledByIt = fold(name) === fold(brand.name);
		if (!isOnly || isCalledByIt || kind !== "any") return branded;
		return { ...branded, label: brand.name, fullName: name };
	});
}

function keyOf({ code, name }: BankOption): string {
	return `${code} ${name}`;
}

/** The distance of a name that contains one of the brand's names. */
const LONGER_NAME = 100;
/** Added to the distance of a brand with another code. */
const OTHER_CODE = 200;
/** Added to the distance of a name that also names an account. */
const OTHER_ACCOUNT = 400;

/**
 * Finds the brand of a bank, and the distance between their names. The name must be one of the brand's,
 * because the list's codes may differ from COMPE's. With the brand's code it only has to contain one.
 */
function fitOf({ code, name }: BankOption): {
	brand: Brand | undefined;
	distance: number;
} {
	const core = coreName(name);
	const account = namesAccount(name) ? OTHER_ACCOUNT : 0;
	const ofCode = CORE_NAMES.find(
		({ brand }) => brand.code === code.padStart(3, "0"),
	);
	if (ofCode?.names.some((known) => hasWords(core, known))) {
		const place = ofCode.names.indexOf(core);
		return {
			brand: ofCode.brand,
			distance: account + (place < 0 ? LONGER_NAME : place),
		};
	}
	const ofName = CORE_NAMES.find(({ names }) => names.includes(core));
	return {
		brand: ofName?.brand,
		distance: account + OTHER_CODE + (ofName?.names.indexOf(core) ?? 0),
	};
}

/** The core names of each brand, the likeliest first. */
const CORE_NAMES = BRANDS.map((brand) => ({
	brand,
	names: [brand.name, ...brand.registered].map(coreName),
}));
