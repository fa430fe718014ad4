/** Normalises bank names and typed text: accents, case and punctuation do not count. */

/** Words that do not distinguish banks, neither in names nor in typed text. */
const STOP_WORDS = new Set(
	(
		"banco bco bank banking coop cooperativa empresa empresas empresarial pj pf mei conta corrente digital internet " +
		"app ltda sa s a o e do da de dos das"
	).split(" "),
);

/** Words for kinds of accounts: a bank and its "Empresas" are two rows of a list. */
const BUSINESS =
	/\b(empres(as?|arial|ariais)|pj|(pessoas? )?juridicas?|mei|pme|cnpj|negocios|business|corporate|empreendedor(es)?)\b/;
const PERSONAL =
	/\b(pf|(pessoas? )?fisicas?|pessoal|pessoais|cpf|individual|individuos)\b/;

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

/**
 * Compares codes regardless of the zeros before a COMPE code, which has three digits. An ISPB code of
 * eight digits is another bank's, whatever follows its zeros.
 */
export function isSameCode(code: string, other: string): boolean {
	return code.padStart(3, "0") === other.padStart(3, "0");
}

/** Which clients an account is for, as far as a name says it. */
export type Kind = "business" | "personal" | "any";

/** The kind of account that a folded text names. */
export function kindOf(text: string): Kind {
	const isBusiness = BUSINESS.test(text);
	const isPersonal = PERSONAL.test(text);
	if (isBusiness === isPersonal) return "any";
	return isBusiness ? "business" : "personal";
}
