import { expect, test } from "vitest";
// The server's tests run against the same table (crates/domain/src/bank/tax_id.rs).
import cases from "../../../crates/domain/src/bank/cpf_cases.json" with {
	type: "json",
};
import { checkCpf, maskCpf } from "./cpf";

test.each([
	["", ""],
	["529", "529"],
	["5299", "529.9"],
	["529982", "529.982"],
	["529982247", "529.982.247"],
	["5299822472", "529.982.247-2"],
	["529982247259", "529.982.247-25"],
	["CPF: 529.982.247-25 ", "529.982.247-25"],
	["529.982.247-25.", "529.982.247-25"],
	["\u200b529982\u00ad24725\ufeff", "529.982.247-25"],
])("masks %j as %j", (typed, shown) => {
	expect(maskCpf(typed)).toBe(shown);
});

test.each(cases)(
	"the server’s table: $text is $verdict",
	({ text, verdict }) => {
		expect(checkCpf(text) ?? text.replace(/\D/g, "")).toBe(verdict);
	},
);
