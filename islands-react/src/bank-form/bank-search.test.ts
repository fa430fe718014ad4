import { expect, test } from "vitest";
import type { BankOption } from "../generated/types";
import { LONG_LIST } from "../testing/banks";
import { bankList } from "./bank-list";
import { searchable, searchBanks } from "./bank-search";
import typedNames from "./typed-names.json" with { type: "json" };

const BANKS = [
	{ code: "001", name: "Banco do Brasil S.A.", brand: "Banco do Brasil" },
	{ code: "341", name: "ITAÚ UNIBANCO S.A.", brand: "Itaú" },
	{ code: "260", name: "NU PAGAMENTOS - IP", brand: "Nubank" },
	{ code: "104", name: "Caixa Econômica Federal", brand: "Caixa" },
	{ code: "077", name: "Banco Inter", brand: "Inter" },
	{ code: "999", name: "Banco Internacional de Teste" },
	{
		code: "041",
		name: "Banco do Estado do Rio Grande do Sul",
		brand: "Banrisul",
	},
	{ code: "237", name: "Banco Bradesco S.A.", brand: "Bradesco" },
	{ code: "748", name: "Banco Cooperativo Sicredi S.A.", brand: "Sicredi" },
	{ code: "756", name: "Banco Cooperativo Sicoob S.A.", brand: "Sicoob" },
	{ code: "336", name: "Banco C6 S.A.", brand: "C6 Bank" },
	{ code: "422", name: "Banco Safra S.A.", brand: "Safra" },
	{ code: "074", name: "Banco J. Safra S.A." },
	{ code: "9001", name: "Cooperativa de Crédito de Água Mansa" },
	{ code: "7", name: "Banco Aurora" },
	{ code: "8", name: "Banco Aurola" },
	{ code: "NU-01", name: "Banco 323" },
	{ code: "MP", name: "Mercado Pago", brand: "Mercado Pago" },
];

const search = (typed: string, banks: readonly BankOption[] = BANKS) =>
	searchBanks(searchable(bankList(banks)), typed);

/** Typed text, the codes that it finds, and the certain bank, if any. */
test.each<[string, string, string, string | undefined]>([
	["no letters", " - ", "", undefined],
	["a brand, before a name that goes on", "inter", "077 999", "077"],
	["a brand in capitals, with accents", "ITAÚ", "341", "341"],
	["a full-width brand", "ｉｔａｕ", "341", "341"],
	["a full-width code", "３４１", "341", "341"],
	["a nickname of two letters", "bb", "001", "001"],
	["a former name", "bancoob", "756", "756"],
	["words of a name", "rio grande", "041", "041"],
	["a name that is no brand’s", "agua mansa", "9001", "9001"],
	["a code", "341", "341", "341"],
	["a code without its zeros", "77", "077", "077"],
	["a code without its punctuation", "nu01", "NU-01", "NU-01"],
	["a code with zeros that the list lacks", "007", "7", "7"],
	["the start of a code", "900", "9001", undefined],
	["a name, before the COMPE code of a brand", "323", "NU-01 MP", "NU-01"],
	["a name with a space in it", "nu bank", "260", "260"],
	["a name without its spaces", "bancodobrasil", "001", "001"],
	["the start of a registered name without its spaces", "nupa", "260", "260"],
	["a brand with the kind of account", "itau empresas", "341", "341"],
	["the same behind a name without spaces", "c6bank empresas", "336", "336"],
	["a brand with words of no name", "bradesco net empresa", "237", undefined],
	[
		"the start of a brand that is more used than the others",
		"int",
		"077 999",
		"077",
	],
	[
		"the start of a brand, before the word of another",
		"brasi",
		"001 756",
		"001",
	],
	["the start of two brands", "sic", "756 748", undefined],
	["two letters", "br", "237 001 756", undefined],
	["a brand before an unbranded name", "safra", "422 074", "422"],
	["two letters of one bank", "ag", "9001", undefined],
	["an inner part", "adesc", "237", "237"],
	["an inner part of three letters", "fra", "422 074", undefined],
	["an inner part of two letters", "fr", "", undefined],
	["an inner part of two names", "afra", "422 074", undefined],
	["a word that all have, and one bank alone", "cooperativa", "9001", "9001"],
	["a letter of words that all have", "s", "756 748 422 041 074", undefined],
	["a wrong letter", "bradezco", "237", "237"],
	["a missing letter", "bradsco", "237", "237"],
	["an extra letter", "nubanck", "260", "260"],
	["an extra letter at the end", "itauu", "341", "341"],
	["swapped letters", "bradseco", "237", "237"],
	["swapped letters at the start", "rbadesco", "237", "237"],
	["a typo in one of two words", "itau unibamco", "341", "341"],
	["the start of a name, with a typo", "bradez", "237", "237"],
	["a typo in a name without its spaces", "nupagamentoz", "260", "260"],
	[
		"a typo in one of two words, the other unfinished",
		"ita unibamco",
		"341",
		"341",
	],
	["a typo that two names are like", "auroza", "8 7", undefined],
	[
		"a typo; the brand before the unbranded name",
		"saffra",
		"422 074",
		undefined,
	],
	["a typo where a name has the word", "sicob", "756", "756"],
	["a typo in a short word", "itua", "", undefined],
	["two typos", "brazezco", "", undefined],
	["two extra letters", "bradescooo", "", undefined],
	["a wrong letter and one that belongs before it", "brxaesco", "", undefined],
	["a wrong letter after one that belongs there", "brdxesco", "", undefined],
	["a known word of three letters", "rio xyzwv", "041", undefined],
	["a known word of one letter", "j xyzwv", "", undefined],
	[
		"words of two banks, the one with more letters first",
		"bradesco rio grande",
		"041 237",
		undefined,
	],
	["letters that swap places over another", "brasdeco", "", undefined],
])("%s: %j finds %j", (_what, typed, found, meant) => {
	const { banks: matches, certain } = search(typed);
	const codes = found.split(" ").filter(Boolean);
	expect(matches.map(({ code }) => code)).toEqual(codes);
	expect(certain?.code).toBe(meant);
});

/** The brands that the server names. */
const BRANDS: Record<string, string> = {
	"Banco Inter S.A.": "Inter",
	"Banco do Brasil": "Banco do Brasil",
	Bradesco: "Bradesco",
	Inter: "Inter",
	Itaú: "Itaú",
	"Itaú Unibanco S.A.": "Itaú",
	"Nu Pagamentos - IP": "Nubank",
	"Nu Pagamentos S.A.": "Nubank",
	"Banco BV S.A.": "BV",
	"Banco Votorantim S.A.": "Votorantim",
};

/** Typed text, and the certain bank of a list with several kinds of accounts, if any. */
test.each<[string, readonly string[], string | undefined]>([
	[
		"Banco do Brasil",
		["Banco do Brasil Empresas", "Banco do Brasil"],
		"Banco do Brasil",
	],
	["bb", ["Banco do Brasil Empresas", "Banco do Brasil"], "Banco do Brasil"],
	[
		"banco do brasil pj",
		["Banco do Brasil Empresas", "Banco do Brasil"],
		"Banco do Brasil Empresas",
	],
	["itau", ["Itaú Empresas", "Itaú Unibanco S.A."], "Itaú"],
	["itau unibanco", ["Itaú Empresas", "Itaú Unibanco S.A."], "Itaú"],
	["itau empresas", ["Itaú Empresas", "Itaú Unibanco S.A."], "Itaú Empresas"],
	["itau pf", ["Itaú Empresas", "Itaú Unibanco S.A."], "Itaú"],
	["itau", ["Itaú Empresas", "Itaú PJ"], undefined],
	["itau", ["Itaú PF", "Itaú PJ"], undefined],
	["itau pf", ["Itaú PF", "Itaú PJ"], "Itaú PF"],
	[
		"santander",
		["Santander PJ", "Santander Empresas", "Santander PF"],
		undefined,
	],
	["itau", ["Itaú Empresas"], "Itaú Empresas"],
	["credi mansa pf", ["Credi Mansa PJ", "Credi Mansa"], "Credi Mansa"],
	["unibanco itau", ["Itaú Unibanco S.A.", "Itaú Unibanco Rural"], "Itaú"],
	["nubank", ["Nu Pagamentos S.A.", "Nu Pagamentos - IP"], undefined],
	["inter", ["Inter Empresas", "Banco Inter S.A."], "Inter"],
	["bradesco", ["Bradesco Net Empresa", "Bradesco"], "Bradesco"],
	["bv", ["Banco Votorantim S.A.", "Banco BV S.A."], "BV"],
	["banco bv", ["Banco Votorantim S.A.", "Banco BV S.A."], "BV"],
	["votorantim", ["Banco Votorantim S.A.", "Banco BV S.A."], "Votorantim"],
])("%j in %j is %j", (typed, names, label) => {
	for (const order of [names, [...names].reverse()]) {
		const banks = order.map((name, at) => ({
			code: `60${at}`,
			name,
			brand: BRANDS[name] ?? "",
		}));
		expect(search(typed, banks).certain?.label).toBe(label);
	}
});

test("a text inside a name does not hide a name with a typo, and finds each bank once", () => {
	const { banks: matches } = search("alameda", [
		{ code: "1", name: "Alamedo" },
		{ code: "2", name: "Xalameda" },
	]);
	expect(matches.map(({ code }) => code)).toEqual(["2", "1"]);
});

test.each([["banco"], ["ban"], ["banco "]])(
	"%j, which starts many names, is not certain, and the most used bank is first",
	(typed) => {
		const { banks: matches, certain } = search(typed);
		expect(matches.length).toBeGreaterThan(5);
		expect(matches[0]?.code).toBe("001");
		expect(certain).toBeUndefined();
	},
);

/*
 * 200 texts that people type for 40 banks, five each. Three of them may be used to tune the search. The
 * other two were written before the search and are held out: do not tune the search with them. One of
 * them, "c6bank pj", has been used: words after a name without spaces were not ignored.
 */
test.each(["tuning", "heldOut"] as const)(
	"%s: at least 95 % are among the first three",
	(part) => {
		const all = searchable(bankList(LONG_LIST));
		const rows = typedNames.flatMap(({ code, ...texts }) =>
			texts[part].map((text) => ({ code, text })),
		);
		const isFound = (code: string, text: string) =>
			searchBanks(all, text)
				.banks.slice(0, 3)
				.some((bank) => bank.code === code);
		const missed = rows
			.filter(({ code, text }) => !isFound(code, text))
			.map(({ text }) => text);
		expect(missed.length / rows.length, missed.join(", ")).toBeLessThanOrEqual(
			0.05,
		);
	},
);
