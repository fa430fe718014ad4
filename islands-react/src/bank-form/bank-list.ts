/** The list of banks as people know it: with brands, the most used first. */
import type { BankOption, SaveBankFormInput } from "../generated/types";
import { BRANDS, MOST_USED } from "./bank-brands";
import { fold, isSameCode, type Kind, kindOf } from "./bank-words";

export type ListedBank = {
	/** Identifies the row, because a list may have several banks with one code. */
	key: string;
	/** The server's code, which the form sends. */
	code: string;
	/** The brand's name, or the registered name if there is no brand or both are the same. */
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
	const unique = new Map(banks.map((bank) => [keyOf(bank), bank])).values();
	const listed = [...unique]
		.map(listedBank)
		.sort((a, b) => alphabet.compare(a.label, b.label));
	const mostUsed = listed
		.filter(({ place }) => place < BRANDED)
		.sort((a, b) => a.place - b.place)
		.slice(0, MOST_USED_SHOWN);
	for (const bank of mostUsed) bank.isFirst = true;
	return [...mostUsed, ...listed.filter((bank) => !bank.isFirst)];
}

export type SavedBank = Pick<SaveBankFormInput, "bank" | "bankName">;

/**
 * Finds a saved bank by its code, or of several banks with this code by its name, of which the session
 * may have cut the end. Undefined if they do not identify one bank.
 */
export function savedBank(
	list: readonly ListedBank[],
	{ bank, bankName }: SavedBank,
): ListedBank | undefined {
	if (bank === "") return undefined;
	const ofCode = list.filter(({ code }) => isSameCode(code, bank));
	const isNamed = ({ label }: ListedBank) =>
		bankName.endsWith("…")
			? label.startsWith(bankName.slice(0, -1))
			: label === bankName;
	const [found, another] = ofCode.length > 1 ? ofCode.filter(isNamed) : ofCode;
	return another === undefined ? found : undefined;
}

function listedBank(option: BankOption): ListedBank {
	const { code, name } = option;
	const brand = BRANDS.get(option.brand ?? "");
	const isCalledByIt = brand && fold(name) === fold(brand.name);
	const label = brand && !isCalledByIt ? brand.name : name;
	const place = brand ? MOST_USED.indexOf(brand.code) : UNBRANDED;
	return {
		key: keyOf(option),
		code,
		label,
		fullName: label === name ? undefined : name,
		otherNames: [
			name,
			...(brand?.registered ?? []),
			...(brand?.nicknames ?? []),
		],
		kind: kindOf(fold(name)),
		compe: brand?.code,
		place: place < 0 ? BRANDED : place,
		isFirst: false,
	};
}

function keyOf({ code, name }: BankOption): string {
	return `${code} ${name}`;
}
