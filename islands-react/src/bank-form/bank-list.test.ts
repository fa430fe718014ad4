import { expect, test } from "vitest";
import { LONG_LIST } from "../testing/banks";
import { bankList, savedBank } from "./bank-list";

test.each([
	["Nu Pagamentos S.A.", "Nubank", "Nubank", "Nu Pagamentos S.A."],
	["ITAU", "Itaú", "ITAU", undefined],
	["Itaú Empresas", "", "Itaú Empresas", undefined],
])("the bank %j of the brand %j is %j", (name, brand, label, fullName) => {
	const list = bankList([{ code: "7", name, brand }]);
	expect(list).toMatchObject([{ label, fullName }]);
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
