import table from "../../../crates/domain/src/bank/brands.json";

/**
 * What people type for a brand. The server names the brand of each bank in the list; the table is also
 * the server's.
 */
export type Brand = {
	/** The COMPE code. The list may have other codes. */
	code: string;
	name: string;
	/** Registered names of the bank, in folded words. */
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

/** Each brand by its name. */
export const BRANDS: ReadonlyMap<string, Brand> = new Map(
	table.map((brand) => [brand.name, brand]),
);
