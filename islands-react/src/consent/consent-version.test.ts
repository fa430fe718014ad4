import { expect, test } from "vitest";
import { CONSENT_VERSION } from "../generated/words";
import { screens } from "../prerender";

/** The words to which clients agree, and their version. */
const AGREED = {
	version: 3,
	words: [
		"{{customerName}} pede acesso aos seus extratos bancários",
		"Cliente: {{clientName}} {{clientDocument}}",
		"Somente leitura. O escritório não movimenta dinheiro nem vê senhas.",
		"Dados que serão compartilhados",
		"Instituição financeira",
		"Número da agência",
		"Número da conta corrente",
		"Dados de extrato bancário",
		"Finalidade: contabilidade. Vale até você cancelar.",
		"Autorizo o escritório a ler estes dados pelo Open Finance.",
		"Autorizar integrações bancárias",
	],
};

test("the consent's words change only together with CONSENT_VERSION", () => {
	document.body.innerHTML = screens.consent;
	const parts = document.querySelectorAll(
		".consent__part :is(h1, h2, p, label, button, .data-list__item):not([hidden], .button__hint)",
	);
	const words = [...parts]
		.map((part) => part.textContent.replaceAll(/\s+/g, " ").trim())
		.filter((text) => text !== "");
	expect(
		{ version: CONSENT_VERSION, words },
		"after a change: raise CONSENT_VERSION in src/words.rs, run `make types`, and put version and words here",
	).toEqual(AGREED);
});
