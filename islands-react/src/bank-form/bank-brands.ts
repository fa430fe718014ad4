import table from "../../../crates/domain/src/bank/brands.json";

/**
 * The brands under which people know their banks, the same table as the server's. The list of banks comes with the names of
 * a registry; `bank-list.ts` decides which of them is a brand's.
 */
export type Brand = {
	/** The COMPE code. The list may have other codes: alone it says nothing. */
	code: string;
	name: string;
	/** The names under which the list may have the bank, in folded words, the likeliest first. */
	registered: readonly string[];
	/** Nicknames, former names and products that people type. */
	nicknames: readonly string[];
};

/** COMPE codes of the banks where small companies have their accounts, the most used first. */
export const MOST_USED = [
	"341",
	"237",
	"001",
	"104",
	"033",
	"260",
	"077",
	"756",
	"748",
	"323",
	"336",
	"290",
];

export const BRANDS: readonly Brand[] = table;
