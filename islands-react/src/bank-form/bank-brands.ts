import table from "../../../crates/domain/src/bank/brands.json";

/**
 * The brand of a bank, as people know it; the table is also the server's. The list of banks has
 * registered names, which `bank-list.ts` maps to brands.
 */
export type Brand = {
	/** The COMPE code. The list may have other codes, so a code alone does not identify a brand. */
	code: string;
	name: string;
	/** Registered names that the list may have for the bank, in folded words, the likeliest first. */
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
