import { expect, test } from "vitest";
import { kindOf } from "./bank-words";

test.each<[string, readonly string[]]>([
	[
		"business",
		[
			"itau empresa",
			"itau empresas",
			"itau empresarial",
			"itau empresariais",
			"caixa pj",
			"caixa juridica",
			"caixa pessoa juridica",
			"caixa pessoas juridicas",
			"conta mei",
			"conta pme",
			"conta cnpj",
			"negocios",
			"itau business",
			"itau corporate",
			"conta empreendedor",
			"conta empreendedores",
		],
	],
	[
		"personal",
		[
			"caixa pf",
			"caixa fisica",
			"caixa pessoa fisica",
			"caixa pessoas fisicas",
			"conta pessoal",
			"contas pessoais",
			"conta cpf",
			"individual",
			"individuos",
		],
	],
	["any", ["itau", "", "itau pj e pf", "empreender", "pjota"]],
])("an account is for %s clients by its name", (kind, names) => {
	for (const name of names) expect(kindOf(name), name).toBe(kind);
});
