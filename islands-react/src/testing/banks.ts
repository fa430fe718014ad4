/** A bank list as long and as varied as a real one: known banks, and invented cooperatives with similar names. */
// The server's tests prove these brands (crates/domain/src/bank/brand.rs).
import known from "../../../crates/domain/src/bank/brand_cases.json" with {
	type: "json",
};
import type { BankOption } from "../generated/types";

const COOPERATIVES = [
	"Cooperativa de Crédito",
	"Cooperativa de Crédito Rural",
	"Cooperativa de Crédito Mútuo dos Servidores",
	"Cooperativa de Crédito dos Comerciantes",
	"Cooperativa de Crédito dos Médicos",
	"Cooperativa de Crédito dos Produtores de Café",
	"Cooperativa de Crédito dos Professores",
	"Cooperativa de Crédito dos Contabilistas",
	"Cooperativa de Crédito dos Transportadores",
	"Cooperativa de Crédito dos Metalúrgicos",
	"Cooperativa de Crédito e Investimento",
	"Cooperativa de Economia e Crédito Mútuo",
];

const PLACES = [
	"Água Mansa",
	"Açaí do Norte",
	"Campo Sereno",
	"Córrego Fundo do Sul",
	"Ipê Dourado",
	"Lagoa Prateada",
	"Monte Aurora",
	"Pedra Lisa",
	"Porto Bonança",
	"Ribeirão Claro do Oeste",
	"São Benedito da Várzea",
	"Serra Clara",
	"Vale Dourado",
	"Vila Esperança Nova",
];

export const LONG_LIST: BankOption[] = [
	...known,
	...COOPERATIVES.flatMap((kind) =>
		PLACES.map((place) => `${kind} de ${place}`),
	).map((name, at) => ({ code: `${9001 + at}`, name })),
];
