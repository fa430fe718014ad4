/**
 * The Portuguese texts of the islands, except those of the administrator's fields
 * (`bank-form/fields.ts`). The page around them has its own (`src/words.rs`). Texts quoted from the
 * specification are literal.
 */

export const common = {
	tryAgain: "Tentar de novo",
	sending: "Enviando…",
	slow: "Está demorando mais que o normal…",
	/** Below a button, after a call without a response. */
	unanswered: "Ainda sem confirmação. Confira a internet e toque de novo.",
} as const;

/** The steps of a new integration. */
export const progress = {
	authorize: "Passo 1 de 5: Autorizar",
	bank: "Passos 2 e 3 de 5: Banco e administrador",
	connect: "Passo 4 de 5: Entrar no banco",
	confirm: "Passo 5 de 5: Confirmar",
} as const;

/** After a change to the words above the button: `CONSENT_VERSION` in src/words.rs. */
export const consent = {
	title: "pede acesso aos seus extratos bancários",
	client: "Cliente:",
	readOnly: "Somente leitura.",
	readOnlyText: "O escritório não movimenta dinheiro nem vê senhas.",
	dataTitle: "Dados que serão compartilhados",
	data: [
		"Instituição financeira",
		"Número da agência",
		"Número da conta corrente",
		"Dados de extrato bancário",
	],
	purpose: "Finalidade:",
	purposeText: "contabilidade.",
	term: "Vale até você cancelar.",
	box: "Autorizo o escritório a ler estes dados pelo Open Finance.",
	hint: "Marque a caixa para continuar",
	submit: "Autorizar integrações bancárias",
	doubt: "Não reconhece este pedido?",
	doubtAnswer:
		"Nada é compartilhado sem a sua autorização. Fale com o escritório por um contato que você já tenha. Só o titular, um sócio ou um representante pode autorizar: se não é você, encaminhe a mensagem do escritório a essa pessoa.",
	/** For a client who has authorized before, perhaps on another device. */
	already: "Já autorizou?",
	seeAccounts: "Ver minhas contas",
	stepsTitle: "Como funciona",
	steps: [
		"Autorize o escritório a ler os extratos da sua conta no banco.",
		"Selecione o banco.",
		"Informe o nome e o CPF de quem administra a conta no banco.",
		"Entre no site ou no aplicativo do banco com a sua agência e conta.",
		"Confirme a conexão.",
	],
	answers: [
		{
			question: "O que é o Open Finance?",
			answer:
				"É o sistema, regulado pelo Banco Central, em que você decide o que compartilhar e com quem.",
		},
		{
			question: "Quem são a Vincula e a Pluggy?",
			answer:
				"O escritório usa a Vincula para fazer este pedido. A conexão com o banco é feita pela Pluggy. A janela dela abre depois que você escolhe o banco. Ela pode pedir o seu CPF.",
		},
		{
			question: "Como cancelar?",
			answer:
				"Quando quiser: por aqui, no seu banco ou falando com o escritório.",
		},
	],
} as const;

export const bankForm = {
	title:
		"Insira os dados do administrador da conta bancária que deseja integrar.",
	back: "Voltar",
	note: "O administrador é quem pode compartilhar dados no Open Finance. Com nome ou CPF errado, a integração",
	noteStrong: "NÃO será concluída.",
	bank: "Banco",
	bankPlaceholder: "Selecione o banco",
	bankHelp: "Digite o nome ou o número do banco.",
	banksUnavailable: "Lista indisponível",
	banksLoading: "Carregando a lista de bancos…",
	bankWait: "Aguarde a lista de bancos.",
	banksFailed: "Não foi possível carregar a lista de bancos.",
	banksEmpty:
		"A lista de bancos veio vazia. Tente de novo ou fale com o escritório.",
	banksList: "Bancos",
	banksListed: (count: number): string =>
		count === 1 ? "1 banco na lista" : `${count} bancos na lista`,
	bankCode: "código",
	banksMostUsed: "Mais usados",
	banksAll: "Outros bancos",
	banksNone:
		"Não achamos esse banco. Tente um nome mais curto ou procure na lista.",
	bankRequired: "Obrigatório selecionar o banco!",
	bankInvalid: "Este banco não pôde ser usado. Escolha outro na lista.",
	locked: "Informado pelo escritório. Se estiver errado, avise o escritório.",
	allLocked:
		"Dados informados pelo escritório. Se estiverem errados, avise o escritório.",
	/** Not every bank of Pluggy's takes the password on its own page. */
	next: "A seguir abre a janela da Pluggy, a empresa que faz a conexão com o banco. A senha é digitada só nela ou no banco.",
	bankAgain: "Na próxima tela, toque outra vez no seu banco.",
	submit: "Avançar",
	banksCount: (count: number): string => {
		if (count === 0) return bankForm.banksNone;
		return count === 1 ? "1 banco encontrado" : `${count} bancos encontrados`;
	},
	bankTaken: (name: string): string => `Banco escolhido: ${name}`,
	summary: (count: number): string =>
		count === 1 ? "Há 1 campo a corrigir." : `Há ${count} campos a corrigir.`,
} as const;

export const notYou = {
	title: "O administrador é outra pessoa?",
	text: "Encaminhe a mensagem do escritório ao titular, a um sócio ou ao usuário máster da conta. Se quiser, mande junto este texto:",
	message: (firm: string): string =>
		`${firm} pediu para conectar a conta do banco, e só o titular, um sócio ou o usuário máster pode fazer isso. Vou encaminhar para você a mensagem de ${firm}. Abra a mensagem no seu próprio celular, toque no link e siga os passos. Na dúvida, ligue antes para o escritório.`,
	copy: "Copiar o texto",
	copied:
		"Texto copiado. Cole na conversa, junto com a mensagem do escritório.",
	failed: "Não foi possível copiar. Selecione o texto acima e copie.",
} as const;

const APPROVAL =
	"Outro responsável pela conta precisa aprovar no aplicativo do banco, em Open Finance.";

export const connect = {
	yourBank: "o seu banco",
	/** Before and after the bank's name. */
	opening: ["Abrindo a conexão com ", ", pela Pluggy…"],
	openingText: "Deixe à mão o aplicativo e a senha do banco.",
	opened: "A janela do banco está aberta.",
	reasonTitle: "Esta janela é da Pluggy, que conecta o seu banco.",
	reason: "O escritório só vai ler os extratos.",
	/** Before and after the firm's name. */
	updateTitle: ["", " pediu para renovar a conexão com o seu banco."],
	updateReason:
		"O banco precisa que você confirme a conexão de novo. Os extratos já recebidos continuam com o escritório.",
	finishing: "Confirmando a conexão da sua conta…",
	finishingText: "Não feche esta página.",
	toAccounts: "Voltando para as suas contas…",
	/** Shown while an error screen loads, so it mentions neither accounts nor connections. */
	leaving: "Só um momento…",
	dialog: "Conexão com o banco",
	close: "Fechar",
	pending: "Aguardando a aprovação de outro responsável",
	pendingText: APPROVAL,
	pendingTold: `${APPROVAL} Você já pode fechar esta página.`,
	hidePending: "Ocultar este aviso",
	failedTitle: "Não foi possível abrir a conexão com o banco",
	failedText:
		"Confira a internet e tente de novo. Se não abrir, desligue o bloqueador de anúncios, se houver, ou abra o link em outro navegador.",
	confirmFailedTitle: "Sua conta foi conectada, mas não conseguimos confirmar",
	confirmFailedText:
		"Não é preciso entrar no banco outra vez. Tente de novo para concluir.",
	refusedTitle:
		"A conta foi conectada no banco, mas o sistema do escritório não a aceitou.",
	refusedText: "Avise o escritório: só ele pode resolver.",
	back: "Voltar",
	accounts: "Voltar para as contas",
} as const;
