import { expect, test } from "vitest";
import { LONG_LIST } from "../testing/banks";
import { bankList, savedBank } from "./bank-list";

test.each([
	["260", "Nu Pagamentos S.A. - Instituição de Pagamento", "Nubank"],
	["260", "Nu Pagamentos S.A (Nubank)", "Nubank"],
	["1", "Banco Do Brasil S.A (BB)", "Banco do Brasil"],
	["001", "BCO DO BRASIL S.A.", "Banco do Brasil"],
	[
		"341",
		"ITAU",
		undefined,
		"the list's name and not the brand's if they differ in case or accents only",
	],
	["104", "Caixa Econômica Federal", "Caixa"],
	["237", "Banco Bradesco S.A.", "Bradesco"],
	["341", "Itaú Empresas", undefined, "a kind of account"],
	["033", "Santander PJ", undefined, "a kind of account"],
	["237", "Bradesco Net Empresa", undefined, "a kind of account"],
	["104", "Caixa Pessoa Jurídica", undefined, "a kind of account"],
	["260", "Nubank - Pessoa Física", undefined, "a kind of account"],
	["077", "Banco Inter S.A. - Conta Digital", "Inter"],
	["655", "Banco Votorantim S.A.", "BV"],
	["041", "Banrisul – Banco do Estado do Rio Grande do Sul S.A.", "Banrisul"],
	["756", "Banco Cooperativo do Brasil S.A. - Bancoob", "Sicoob"],
	["601", "Itaú Empresas", undefined, "a kind of account"],
	["nu-42", "Nu Pagamentos S.A. - Instituição de Pagamento", "Nubank"],
	["in-42", "Bco Inter S.A.", "Inter"],
	["260", "Banco de Outro Lugar", undefined, "a code that is not COMPE's"],
	[
		"473",
		"Banco Caixa Geral - Brasil S.A.",
		undefined,
		"a word of a name is no match",
	],
	["999", "Banco Internacional de Teste", undefined, "nor is its beginning"],
	["184", "Banco Itaú BBA S.A.", undefined, "nor the name with more behind it"],
	[
		"9002",
		"Cooperativa de Crédito do Brasil",
		undefined,
		"nor is a name without its legal form",
	],
])("%s %j is %s", (code, name, brand, why = "") => {
	const fullName = brand === undefined ? undefined : name;
	expect(bankList([{ code, name }]), why).toMatchObject([
		{ label: brand ?? name, fullName },
	]);
});

test.each([
	["260", "260"],
	["9001", "9002"],
])(
	"of banks with names of one brand (codes %s and %s), the one with the likelier name shows it",
	(code, other) => {
		const banks = [
			{ code, name: "Nubank" },
			{ code: other, name: "Nu Pagamentos S.A." },
		];
		for (const list of [banks, [...banks].reverse()])
			expect(bankList(list).map(({ label }) => label)).toEqual([
				"Nubank",
				"Nu Pagamentos S.A.",
			]);
	},
);

test.each<[readonly string[], readonly string[]]>([
	[
		["Banco do Brasil Empresas", "Banco do Brasil"],
		["Banco do Brasil", "Banco do Brasil Empresas"],
	],
	[
		["Itaú Unibanco S.A.", "Itaú Empresas", "Itaú Personnalité"],
		["Itaú", "Itaú Empresas", "Itaú Personnalité"],
	],
	[
		["Banrisul Empresas", "Banco do Estado do Rio Grande do Sul S.A."],
		["Banrisul", "Banrisul Empresas"],
	],
	[
		["Santander PJ", "Santander PF", "Banco Santander (Brasil) S.A."],
		["Santander", "Santander PF", "Santander PJ"],
	],
	[
		["Bradesco Net Empresa", "Bradesco Pessoa Física"],
		["Bradesco Pessoa Física", "Bradesco Net Empresa"],
	],
	[
		["Nubank Empresas", "Nu Pagamentos S.A."],
		["Nubank", "Nubank Empresas"],
	],
	[
		["Caixa PJ", "Caixa PF"],
		["Caixa PF", "Caixa PJ"],
	],
	[
		["Nu Pagamentos S.A.", "Nu Pagamentos - IP"],
		["Nu Pagamentos - IP", "Nu Pagamentos S.A."],
	],
])(
	"of %j, in any order and with any codes, the one that says only the brand has it as label",
	(names, labels) => {
		const code = { Banco: "001", Itaú: "341", Nubank: "260" };
		const compe = code[names[0]?.split(" ")[0] as keyof typeof code] ?? "7";
		for (const order of [names, [...names].reverse()]) {
			const ownCodes = order.map((name, at) => ({ code: `60${at}`, name }));
			const sameCode = order.map((name) => ({ code: compe, name }));
			for (const banks of [ownCodes, sameCode])
				expect(bankList(banks).map(({ label }) => label)).toEqual(labels);
		}
	},
);

test("of banks with a brand's code, the one with its name shows it, before one with a longer name", () => {
	const banks = [
		{ code: "260", name: "Nu Pagamentos S.A." },
		{ code: "260", name: "Nu Pagamentos e Cartões S.A." },
	];
	for (const list of [banks, [...banks].reverse()])
		expect(bankList(list).map(({ label }) => label)).toEqual([
			"Nubank",
			"Nu Pagamentos e Cartões S.A.",
		]);
});

test("shows a brand once, for the best match, in any order of the list", () => {
	const banks = [
		{ code: "386", name: "Nu Financeira S.A." },
		{ code: "260", name: "Nu Pagamentos S.A." },
		{ code: "413", name: "Banco BV S.A." },
		{ code: "655", name: "Banco Votorantim S.A." },
	];
	for (const list of [banks, [...banks].reverse()]) {
		expect(bankList(list).map(({ code, label }) => `${code} ${label}`)).toEqual(
			["260 Nubank", "413 Banco BV S.A.", "655 BV", "386 Nu Financeira S.A."],
		);
	}
});

test.each([
	["077", "Inter", "Sicredi"],
	["748", "Sicredi", "Inter"],
])(
	"lists the eight most used available banks first (without %s), then the others from A to Z",
	(code, out, in_) => {
		const banks = LONG_LIST.filter((bank) => bank.code !== code);
		const list = bankList(banks);
		const mostUsed = [
			"Itaú",
			"Bradesco",
			"Banco do Brasil",
			"Caixa",
			"Santander",
			"Nubank",
			"Inter",
			"Sicoob",
			"Sicredi",
		];
		const first = list.filter(({ isFirst }) => isFirst);
		expect(first.map(({ label }) => label)).toEqual(
			mostUsed.filter((label) => label !== out).slice(0, 8),
		);
		expect(first.map(({ label }) => label)).toContain(in_);
		expect(list.slice(0, 8)).toEqual(first);
		const labels = list.slice(8).map(({ label }) => label);
		expect(list).toHaveLength(banks.length);
		expect(labels).toEqual(
			[...labels].sort(new Intl.Collator("pt-BR", { numeric: true }).compare),
		);
	},
);

test("lists less used banks first if the list lacks the others", () => {
	const codes = ["290", "323", "336", "422"];
	const list = bankList(LONG_LIST.filter(({ code }) => codes.includes(code)));
	expect(list.map(({ code, isFirst }) => [code, isFirst])).toEqual([
		["323", true],
		["336", true],
		["290", true],
		["422", false],
	]);
});

test("shows a duplicated bank once", () => {
	const list = bankList(
		["Credi Norte", "Credi Sul", "Credi Sul"].map((name) => ({
			code: "756",
			name,
		})),
	);
	expect(list.map(({ label }) => label)).toEqual(["Credi Norte", "Credi Sul"]);
});

test("finds the saved one of two banks with one code by name, else the first", () => {
	const names = ["Credi Leste", "Credi Norte", "Credi Sul"];
	const list = bankList(names.map((name) => ({ code: "756", name })));
	const saved = (bankName: string) =>
		savedBank(list, { bank: "756", bankName });
	expect(names.map((name) => saved(name)?.label)).toEqual(names);
	expect(saved("gone")).toBe(list[0]);
	expect(savedBank(list, { bank: "1", bankName: "" })).toBeUndefined();
});
