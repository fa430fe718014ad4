import { expect, test } from "vitest";
import { coreName, kindOf } from "./bank-words";

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

test.each([
	["Itaú Unibanco S.A.", "itau unibanco"],
	["Banco Aurora", "aurora"],
	["Bco. Aurora Ltda", "aurora"],
	["Mansa Banco Rural", "mansa banco rural"],
	["Banco", "banco"],
	["Empresas", "empresas"],
	["Aurora Banco Múltiplo S/A", "aurora"],
	["Aurora Instituição de Pagamento", "aurora"],
	["Aurora Instituição de Pagamentos S.A.", "aurora"],
	["Aurora Sociedade de Crédito", "aurora"],
	["Aurora Sociedade de Crédito Direto S.A.", "aurora"],
	["Aurora Sociedade de Crédito, Financiamento e Investimento", "aurora"],
	["Aurora Sociedade de Crédito ao Financiamento e Investimento", "aurora"],
	["Aurora - Pessoa Jurídica", "aurora"],
	["Aurora Pessoas Físicas", "aurora"],
	["Aurora Conta Corrente", "aurora"],
	["Aurora Contas Digital", "aurora"],
	["Aurora Empresas Brasil", "aurora brasil"],
])("without legal form and kind of account %j is %j", (name, core) => {
	expect(coreName(name)).toBe(core);
});
