/** Normalises bank names and typed text: accents, case, punctuation and legal forms do not count. */

/** Words that do not distinguish banks, neither in names nor in typed text. */
const STOP_WORDS = new Set(
	(
		"banco bco bank banking coop cooperativa empresa empresas empresarial pj pf mei conta corrente digital internet " +
		"app ltda sa s a o e do da de dos das"
	).split(" "),
);

/** Legal forms, which are part of registered names only. */
const LEGAL_FORMS =
	/\b(s a|sa|ltda|ip|banco multiplo|instituicao de pagamentos?|sociedade de credito( direto|( ao)? financiamento e investimento)?|scd|scfi|cfi)\b/g;

/** Words for kinds of accounts: a bank and its "Empresas" are two rows of a list. */
const BUSINESS =
	/\b(empres(as?|arial|ariais)|pj|(pessoas? )?juridicas?|mei|pme|cnpj|negocios|business|corporate|empreendedor(es)?)\b/g;
const PERSONAL =
	/\b(pf|(pessoas? )?fisicas?|pessoal|pessoais|cpf|individual|individuos)\b/g;

/** Words that any account has. */
const ANY_ACCOUNT = /\b(contas?|corrente|digital)\b/g;

/** Lower case, without accents, punctuation and full-width forms. */
export function fold(text: string): string {
	return text
		.normalize("NFKD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, " ")
		.trim();
}

/** The folded words that distinguish a bank from another, or all of them if none does. */
export function significantWords(words: readonly string[]): readonly string[] {
	const significant = words.filter((word) => !STOP_WORDS.has(word));
	return significant.length > 0 ? significant : words;
}

/** A folded name without legal forms and without "banco" before it: "itau unibanco". */
function bareName(name: string): string {
	return squeeze(fold(name).replace(LEGAL_FORMS, " ")).replace(
		/^(banco|bco) (?=.)/,
		"",
	);
}

/** Which clients an account is for, as far as a name says it. */
export type Kind = "business" | "personal" | "any";

/** The kind of account that a folded text names. */
export function kindOf(text: string): Kind {
	const isBusiness = text.search(BUSINESS) >= 0;
	const isPersonal = text.search(PERSONAL) >= 0;
	if (isBusiness === isPersonal) return "any";
	return isBusiness ? "business" : "personal";
}

/** The bare name without the kind of account: "itau" for "Itaú Empresas - PJ". */
export function coreName(name: string): string {
	const bare = bareName(name);
	const core = [BUSINESS, PERSONAL, ANY_ACCOUNT].reduce(
		(text, words) => text.replace(words, " "),
		bare,
	);
	return squeeze(core) || bare;
}

/** Returns whether a name has words for an account besides the bank's. */
export function namesAccount(name: string): boolean {
	return coreName(name) !== bareName(name);
}

/** Returns whether a folded text contains these folded words in this order, next to each other. */
export function hasWords(text: string, words: string): boolean {
	return ` ${text} `.includes(` ${words} `);
}

function squeeze(text: string): string {
	return text.replace(/ +/g, " ").trim();
}
