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

const LONG_NAME = `Cooperativa de Crédito ${"de Água Mansa ".repeat(6)}`;

/** The saved code and name, and the bank that they identify in the list. */
test.each([
	["756", "Credi Norte", "756 Credi Norte"],
	["756", "Credi Sul", "756 Credi Sul"],
	["756", "", undefined],
	["756", "Credi Oeste", undefined],
	["756", `${LONG_NAME.slice(0, 80)}…`, undefined],
	["757", `${LONG_NAME.slice(0, 80)}…`, `757 ${LONG_NAME}Norte`],
	["758", "Twice…", undefined],
	["341", "", "341 Itaú"],
	["341", "Itaú Unibanco", "341 Itaú"],
	["1", "", "001 Banco do Brasil"],
	["001", "", "001 Banco do Brasil"],
	["085", "", "85 Ailos"],
	["85", "", "85 Ailos"],
	["208", "", "208 BTG"],
	["00000208", "", "00000208 BRB"],
	["70", "", undefined],
	["7", "", undefined],
	["7", "Agent", "007 Agent"],
	["0", "", "000 Zero"],
	["", "", undefined],
])("the saved bank %j %j is %j", (bank, bankName, found) => {
	const list = bankList(
		[
			"756 Credi Leste",
			"756 Credi Norte",
			"756 Credi Sul",
			`757 ${LONG_NAME}Norte`,
			"757 Credi Alfa",
			"757 Banco Alfa",
			"758 Twice a",
			"758 Twice b",
			"341 Itaú",
			"001 Banco do Brasil",
			"85 Ailos",
			"208 BTG",
			"00000208 BRB",
			"7 Seven",
			"007 Agent",
			"000 Zero",
		].map((row) => ({
			code: row.replace(/ .*/, ""),
			name: row.replace(/^\w+ /, ""),
		})),
	);
	const saved = savedBank(list, { bank, bankName });
	expect(saved && `${saved.code} ${saved.label}`).toBe(found);
});
