/**
 * Every screen in the states that differ for a person. A state is reached as a person reaches it: by the session's data, the
 * widget API's responses, and clicks.
 */
import { expect, type Locator, type Page } from "@playwright/test";
import type { BrowserErrors } from "./browser-errors.ts";
import { linkOf } from "./fixtures.ts";
import {
	bankField,
	cancelAllButton,
	connectProgress,
	consentBox,
	consentButton,
	mainHeading,
	nextButton,
	retryButton,
} from "./locators.ts";
import { waitForHydration } from "./page.ts";
import {
	arriveAtConnect,
	arriveAtUpdate,
	cancelEverything,
	chooseBank,
	fillAdministrator,
	keepItem,
	type Progress,
	startSession,
	waitForBanks,
} from "./steps.ts";
import {
	ACCOUNTS,
	ADMIN,
	type Client,
	CPF,
	errorResponse,
	type SessionData,
} from "./widget-api.ts";

type Stage = {
	page: Page;
	newClient: (data?: Partial<SessionData>) => Client;
	/** Opens a page as on a slow network. */
	open: (path: string) => Promise<void>;
	browserErrors: BrowserErrors;
};

/** What a screen has in all of its states. */
export type Screen = {
	/** The screen's part of the browser's title. */
	title: string;
	/** The image next to it; absent on the widget routes, which have no header either. */
	image?: "default" | "select-bank" | "success" | "cancel";
	/** Whether the heading has the initial focus. It has not in a dialog, or while the screen loads. */
	focusesHeading?: boolean;
};

export type State = {
	name: string;
	/** On one state of each screen. */
	screen?: Screen;
	/** What moves where nobody sees it, or after a failure; layout shifts are then not checked. */
	moves?: string;
	/** Leads to the state, and returns what is visible once it is reached. */
	reach: (stage: Stage) => Promise<Locator>;
};

type Options = {
	data?: Partial<SessionData>;
	/** Scripts the widget API. */
	script?: (client: Client) => unknown;
};

const INDIVIDUAL = {
	client_name: "Marina Alves de Souza",
	client_cpfcnpj: "417.082.935-23",
};
const LONG_NAMES = {
	client_name:
		"Comercial de Panificação, Confeitaria e Produtos Coloniais Irmãos Albuquerque Cavalcanti Ltda",
	customer_name:
		"Horizonte & Irmãos Assessoria Contábil, Tributária e Empresarial Sociedade Simples",
};
const SAVED = {
	widget_account_admin_name: ADMIN,
	widget_account_admin_cpfcnpj: CPF,
	widget_account_bank: "260",
};
const UPDATE = { widget_type: "update", link_id: "an-item" };
const CANCEL = { widget_type: "cancel" };
/** A firm with a brand of its own: `deploy/brands-example`. */
const BRANDED = { customer_id: 4217, customer_name: "Contábil Horizonte" };

const MANY_ACCOUNTS = [
	...ACCOUNTS,
	{
		bank: "Banestes S.A. Banco do Estado do Espírito Santo",
		agency: "0104",
		number: "18.204.551-7",
		name: "Padaria Pão Quente",
	},
	{
		bank: "Cooperativa de Crédito, Poupança e Investimento Serra e Mar",
		agency: "9001-2",
		number: "000000123456-X",
		name: LONG_NAMES.client_name,
	},
	...["1607-1", "0001", "2301", "0071", "3001", "4321"].map((agency, at) => ({
		bank: "Banco do Brasil S.A.",
		agency,
		number: `105.44${at}-6`,
		name: "Ana Souza Lima",
	})),
];

const busy = (page: Page) => page.locator(".button[aria-busy=true]");
const toast = (page: Page) => page.locator(".toast").first();
const press = (page: Page, name: string) =>
	page.getByRole("button", { name }).click();

/** Opens a page in the session of a new client. */
async function arrive(
	{ page, newClient, open }: Stage,
	path: string,
	progress: Progress,
	{ data, script }: Options = {},
): Promise<void> {
	const client = newClient(data);
	script?.(client);
	await startSession(page, client, progress);
	await open(path);
}

const atConsent = (stage: Stage, options?: Options) =>
	arrive(stage, "/integration/widget", "entered", options);

const atAccounts = (stage: Stage, options?: Options) =>
	arrive(stage, "/integration/accounts", "consented", options);

const atBankForm = async (stage: Stage, options?: Options) => {
	await arrive(stage, "/integration/select-bank", "consented", options);
	await waitForHydration(stage.page);
};

const atCancellation = (stage: Stage, { data, script }: Options = {}) =>
	arrive(stage, "/cancel/confirm", "entered", {
		data: { ...CANCEL, ...data },
		script: (client) => {
			client.accounts = MANY_ACCOUNTS.slice(0, 3);
			script?.(client);
		},
	});

async function atCancelled(stage: Stage): Promise<void> {
	await atCancellation(stage);
	await cancelEverything(stage.page);
}

/** Makes the requests of an action fail for want of a network. */
async function cutOff({ page, browserErrors }: Stage, action: string) {
	browserErrors.expect(
		new RegExp(`request failed: .*/api/${action} net::ERR_FAILED`),
		/console error: .*ERR_FAILED/,
	);
	await page.route(`/api/${action}`, (route) => route.abort());
}

const STEPS: Record<string, State[]> = {
	entry: [
		{
			name: "validating",
			screen: { title: "Abrindo o seu link", image: "default" },
			reach: async ({ page, newClient, open }) => {
				const client = newClient();
				client.hold("validate-token");
				await open(linkOf(client));
				return page.locator(".entry__waiting");
			},
		},
		{
			name: "no response",
			reach: async (stage) => {
				await cutOff(stage, "validate_token");
				await stage.open(linkOf(stage.newClient()));
				return retryButton(stage.page);
			},
		},
	],
	consent: [
		{
			name: "company",
			screen: { title: "Autorizar acesso", focusesHeading: true },
			reach: async (stage) => {
				await atConsent(stage);
				return mainHeading(stage.page);
			},
		},
		{
			name: "long names",
			reach: async (stage) => {
				await atConsent(stage, { data: LONG_NAMES });
				return stage.page.getByText(LONG_NAMES.customer_name).first();
			},
		},
		{
			name: "sent without the tick",
			reach: async (stage) => {
				await atConsent(stage);
				await consentButton(stage.page).click({ force: true });
				return stage.page.locator("form[data-unticked]");
			},
		},
		{
			name: "sending",
			reach: async (stage) => {
				await atConsent(stage, {
					script: (client) => client.hold("authorize-customer"),
				});
				await consentBox(stage.page).check();
				await consentButton(stage.page).click();
				return busy(stage.page);
			},
		},
		{
			name: "no response",
			reach: async (stage) => {
				stage.browserErrors.expect(/status of 500 .*accept_consent/);
				await atConsent(stage, {
					script: (client) => client.respond("authorize-customer", "drop"),
				});
				await consentBox(stage.page).check();
				await consentButton(stage.page).click();
				return toast(stage.page);
			},
		},
	],
	accounts: [
		{
			name: "loading",
			reach: async (stage) => {
				await atAccounts(stage, {
					script: (client) => client.hold("list-accounts"),
				});
				return stage.page.getByText("Carregando…");
			},
		},
		{
			name: "empty",
			screen: {
				title: "Contas integradas",
				image: "default",
				focusesHeading: true,
			},
			reach: async (stage) => {
				await atAccounts(stage);
				return stage.page.getByRole("cell", {
					name: "Nenhuma conta autorizada.",
				});
			},
		},
		{
			name: "many, long names",
			moves: "on wide screens, the button below ten accounts",
			screen: {
				title: "Contas integradas",
				image: "default",
				focusesHeading: true,
			},
			reach: async (stage) => {
				await atAccounts(stage, {
					data: LONG_NAMES,
					script: (client) => {
						client.accounts = MANY_ACCOUNTS;
					},
				});
				return stage.page.getByText(ACCOUNTS[0].number);
			},
		},
		{
			name: "just linked",
			reach: async (stage) => {
				await arrive(stage, "/integration/accounts", "linked");
				return stage.page.getByText(/^Você conectou Itaú às/);
			},
		},
		{
			name: "another person has to approve",
			reach: async ({ page, newClient, open }) => {
				const client = newClient();
				client.scenario = "pending-close";
				const frame = await arriveAtConnect(page, client);
				await frame.getByRole("button").click();
				await press(page, "Ocultar este aviso");
				await frame.getByRole("button").click();
				await expect(page).toHaveURL("/integration/accounts");
				await open("/integration/accounts");
				return page.getByText(/^Você autorizou Itaú às/);
			},
		},
		{
			name: "Connect was closed",
			reach: async ({ page, newClient }) => {
				const client = newClient();
				client.scenario = "close";
				const frame = await arriveAtConnect(page, client);
				await frame.getByRole("button").click();
				return page.getByText(/não foi concluída\./);
			},
		},
		{
			name: "Connect was left open",
			reach: async ({ page, newClient, open }) => {
				await arriveAtConnect(page, newClient());
				await open("/integration/accounts");
				return page.getByText(/^Se você já aprovou no banco/);
			},
		},
		{
			name: "update is due",
			reach: async (stage) => {
				await arrive(stage, "/integration/accounts", "entered", {
					data: UPDATE,
					script: (client) => {
						client.accounts = ACCOUNTS;
					},
				});
				return stage.page.getByText("Falta renovar a conexão com o seu banco.");
			},
		},
		{
			name: "list failed",
			reach: async (stage) => {
				stage.browserErrors.expect(/status of 500 .*list_accounts/);
				await atAccounts(stage, {
					script: (client) => client.respond("list-accounts", "drop"),
				});
				return retryButton(stage.page);
			},
		},
		{
			name: "poll failed",
			reach: async (stage) => {
				stage.browserErrors.expect(/status of 500 .*list_accounts/);
				await atAccounts(stage, {
					script: (client) => {
						client.accounts = ACCOUNTS;
						client.respond("list-accounts", undefined, "drop");
					},
				});
				return stage.page.getByText(/Servidor sem resposta/);
			},
		},
		{
			name: "cancelled",
			reach: async (stage) => {
				await atCancelled(stage);
				await stage.open("/integration/accounts");
				return mainHeading(stage.page);
			},
		},
	],
	"bank form": [
		{
			name: "loading",
			reach: async (stage) => {
				await atBankForm(stage, {
					script: (client) => client.hold("list-banks"),
				});
				return stage.page.getByText("Carregando a lista de bancos…");
			},
		},
		{
			name: "empty",
			screen: {
				title: "Banco e administrador",
				image: "select-bank",
				focusesHeading: true,
			},
			reach: async (stage) => {
				await atBankForm(stage);
				await waitForBanks(stage.page);
				return bankField(stage.page);
			},
		},
		{
			name: "filled, long names",
			reach: async (stage) => {
				await atBankForm(stage, { data: { ...LONG_NAMES, ...SAVED } });
				await waitForBanks(stage.page);
				return bankField(stage.page);
			},
		},
		{
			name: "individual, read-only fields",
			reach: async (stage) => {
				await atBankForm(stage, { data: INDIVIDUAL });
				return stage.page.getByText(/^Dados informados pelo escritório/);
			},
		},
		{
			name: "sent empty",
			reach: async (stage) => {
				await atBankForm(stage);
				await waitForBanks(stage.page);
				await nextButton(stage.page).click();
				return stage.page.getByText("Obrigatório selecionar o banco!");
			},
		},
		{
			name: "wrong CPF",
			reach: async (stage) => {
				await atBankForm(stage);
				await waitForBanks(stage.page);
				await fillAdministrator(stage.page, ADMIN, "529.982.247-24");
				await nextButton(stage.page).click();
				return stage.page.getByText("CPF inválido!");
			},
		},
		{
			name: "not the administrator",
			reach: async (stage) => {
				await atBankForm(stage);
				await stage.page.getByText("O administrador é outra pessoa?").click();
				return stage.page.locator(".not-you__message");
			},
		},
		{
			name: "open list",
			reach: async (stage) => {
				await atBankForm(stage);
				await waitForBanks(stage.page);
				await bankField(stage.page).click();
				return stage.page.getByRole("listbox");
			},
		},
		{
			name: "nothing found",
			reach: async (stage) => {
				await atBankForm(stage);
				await waitForBanks(stage.page);
				await bankField(stage.page).pressSequentially("xyz");
				return stage.page.getByText("Não achamos esse banco.");
			},
		},
		{
			name: "banks failed",
			reach: async (stage) => {
				stage.browserErrors.expect(/status of 500 .*list_banks/);
				await atBankForm(stage, {
					script: (client) => client.respond("list-banks", "drop"),
				});
				return retryButton(stage.page);
			},
		},
		{
			name: "no response",
			reach: async (stage) => {
				await cutOff(stage, "save_bank_form");
				await atBankForm(stage);
				await waitForBanks(stage.page);
				await chooseBank(stage.page, "Itaú");
				await fillAdministrator(stage.page);
				await nextButton(stage.page).click();
				return stage.page.getByText(/^Ainda sem confirmação/);
			},
		},
		{
			name: "sending",
			reach: async (stage) => {
				await stage.page.route("/api/save_bank_form", () => {});
				await atBankForm(stage);
				await waitForBanks(stage.page);
				await chooseBank(stage.page, "Itaú");
				await fillAdministrator(stage.page);
				await nextButton(stage.page).click();
				return busy(stage.page);
			},
		},
	],
	connect: [
		{
			name: "opening",
			reach: async (stage) => {
				await arrive(stage, "/integration/widget", "bank chosen", {
					script: (client) => client.hold("connect-token"),
				});
				return connectProgress(stage.page);
			},
		},
		{
			name: "did not open",
			reach: async (stage) => {
				stage.browserErrors.expect(/status of 500 .*open_connect/);
				await arrive(stage, "/integration/widget", "bank chosen", {
					script: (client) => client.respond("connect-token", "drop"),
				});
				return retryButton(stage.page);
			},
		},
		{
			name: "open",
			screen: { title: "Conectar ao banco" },
			reach: async ({ page, newClient }) => {
				const frame = await arriveAtConnect(page, newClient());
				return frame.getByRole("button");
			},
		},
		{
			name: "another person has to approve",
			reach: async ({ page, newClient }) => {
				const client = newClient();
				client.scenario = "pending";
				const frame = await arriveAtConnect(page, client);
				await frame.getByRole("button").click();
				return page.getByText("Aguardando a aprovação de outro responsável");
			},
		},
		{
			name: "confirming",
			reach: async ({ page, newClient }) => {
				await page.route("/api/finish_connect", () => {});
				const frame = await arriveAtConnect(page, newClient());
				await frame.getByRole("button").click();
				return connectProgress(page).filter({ hasText: "Confirmando" });
			},
		},
		{
			name: "not confirmed",
			reach: async (stage) => {
				await cutOff(stage, "finish_connect");
				const frame = await arriveAtConnect(stage.page, stage.newClient());
				await frame.getByRole("button").click();
				return retryButton(stage.page);
			},
		},
		{
			name: "update, opening",
			reach: async (stage) => {
				await arrive(stage, "/integration/update", "entered", {
					data: UPDATE,
					script: (client) => client.hold("connect-token"),
				});
				return stage.page.getByText(
					/pediu para renovar a conexão com o seu banco\./,
				);
			},
		},
		{
			name: "update, open",
			screen: { title: "Atualizar integração" },
			reach: async ({ page, newClient }) => {
				const frame = await arriveAtUpdate(page, newClient(UPDATE));
				return frame.getByRole("button");
			},
		},
	],
	success: [
		{
			name: "new",
			screen: {
				title: "Integração concluída",
				image: "success",
				focusesHeading: true,
			},
			reach: async (stage) => {
				await arrive(stage, "/integration/success", "linked");
				return stage.page.getByRole("button", { name: "Concluir integração" });
			},
		},
		{
			name: "concluded",
			reach: async (stage) => {
				await arrive(stage, "/integration/success", "linked");
				await press(stage.page, "Concluir integração");
				return stage.page.getByText(
					"Tudo certo. Você já pode fechar esta página.",
				);
			},
		},
		{
			name: "the firm is not told yet",
			reach: async (stage) => {
				stage.browserErrors.expect(/status of 500 .*confirm_success/);
				await arrive(stage, "/integration/success", "linked", {
					data: LONG_NAMES,
					script: (client) => client.respond("success", "drop"),
				});
				return stage.page.getByText("ainda não conseguimos avisar").first();
			},
		},
		{
			name: "the firm's system refuses the account",
			moves: "what is below the outcome, once it is known",
			reach: async (stage) => {
				const client = stage.newClient();
				await startSession(stage.page, client, "linked");
				client.respond("log", errorResponse(401, "Expired token"));
				await stage.page.goto("/integration/success");
				await keepItem(stage.page, "an-item");
				await stage.open("/integration/success");
				return stage.page.getByText(/o sistema do escritório não a aceitou/);
			},
		},
		{
			name: "update",
			reach: async ({ page, newClient, open }) => {
				const frame = await arriveAtUpdate(page, newClient(UPDATE));
				await frame.getByRole("button").click();
				await expect(page).toHaveURL("/integration/success");
				await open("/integration/success");
				return mainHeading(page);
			},
		},
	],
	cancel: [
		{
			name: "three accounts",
			screen: {
				title: "Cancelar integrações",
				image: "cancel",
				focusesHeading: true,
			},
			reach: async (stage) => {
				await atCancellation(stage);
				return stage.page.getByText(ACCOUNTS[0].number);
			},
		},
		{
			name: "many, long names",
			moves: "the button below ten accounts",
			reach: async (stage) => {
				await atCancellation(stage, {
					script: (client) => {
						client.accounts = MANY_ACCOUNTS;
					},
				});
				return stage.page.getByText(LONG_NAMES.client_name);
			},
		},
		{
			name: "no accounts",
			reach: async (stage) => {
				await atCancellation(stage, {
					script: (client) => {
						client.accounts = [];
					},
				});
				return stage.page.getByText(/^Nenhuma conta na lista\./);
			},
		},
		{
			name: "sending",
			reach: async (stage) => {
				await atCancellation(stage, {
					script: (client) => client.hold("cancel-integrations"),
				});
				await cancelAllButton(stage.page).click();
				return busy(stage.page);
			},
		},
		{
			name: "no response",
			reach: async (stage) => {
				stage.browserErrors.expect(/status of 500 .*cancel_integrations/);
				await atCancellation(stage, {
					script: (client) => client.respond("cancel-integrations", "drop"),
				});
				await cancelAllButton(stage.page).click();
				return toast(stage.page);
			},
		},
		{
			name: "cancelled",
			screen: {
				title: "Integrações canceladas",
				image: "cancel",
				focusesHeading: true,
			},
			reach: async (stage) => {
				await atCancelled(stage);
				await stage.open("/cancel/success");
				return mainHeading(stage.page);
			},
		},
	],
	error: [
		...[
			"link-not-exists",
			"token-not-exists",
			"token-invalid",
			"token-not-found",
			"token-not-found?voltou=1",
			"cookies-blocked",
		].map((type) => ({
			name: type,
			reach: async ({ page, open }: Stage) => {
				await open(`/error/${type}`);
				return mainHeading(page);
			},
		})),
		{
			name: "token-expired",
			screen: {
				title: "O prazo deste link acabou",
				image: "cancel",
				focusesHeading: true,
			},
			reach: async ({ page, open }) => {
				await open("/error/token-expired");
				return mainHeading(page);
			},
		},
		{
			name: "link-not-updated in a session",
			reach: async (stage) => {
				await arrive(stage, "/error/link-not-updated", "entered", {
					data: UPDATE,
				});
				return stage.page.getByRole("link", { name: "Abrir minhas contas" });
			},
		},
		{
			name: "token-not-exists after a cancellation",
			reach: async (stage) => {
				await atCancelled(stage);
				await stage.open("/error/token-not-exists");
				return stage.page.getByText(/As suas integrações foram canceladas/);
			},
		},
		{
			name: "outage of the widget API",
			reach: async ({ page, newClient, browserErrors }) => {
				browserErrors.expect(/status of 500 .*open_connect/);
				const client = newClient(UPDATE);
				client.respond("connect-token", errorResponse(500, "Out of order"));
				await page.goto(linkOf(client));
				return page.getByText(/^Não conseguimos abrir o seu acesso:/);
			},
		},
		{
			name: "unknown path",
			screen: {
				title: "Página não encontrada",
				image: "cancel",
				focusesHeading: true,
			},
			reach: async ({ page, open, browserErrors }) => {
				browserErrors.expect(/status of 404/);
				await open("/no-such-page");
				return mainHeading(page);
			},
		},
	],
	everywhere: [
		{
			name: "accessibility statement",
			screen: {
				title: "Acessibilidade",
				image: "default",
				focusesHeading: true,
			},
			reach: async ({ page, open }) => {
				await open("/acessibilidade");
				return mainHeading(page);
			},
		},
		{
			name: "a newer link was opened",
			reach: async (stage) => {
				stage.browserErrors.expect(/status of 409/);
				await atAccounts(stage);
				await startSession(stage.page, stage.newClient(), "consented");
				return stage.page.getByRole("dialog", {
					name: "Esta página parou",
				});
			},
		},
		{
			name: "the session has ended",
			reach: async (stage) => {
				stage.browserErrors.expect(/status of 401/);
				await atAccounts(stage);
				await stage.page.context().clearCookies();
				return stage.page.getByRole("dialog", {
					name: "A sua sessão terminou",
				});
			},
		},
		{
			name: "React does not load",
			moves: "the page below the card that says so",
			reach: async (stage) => {
				stage.browserErrors.expect(/ERR_FAILED/, /island failed: bank-form/);
				await stage.page.route(/\/islands\/(?!page-)[^/]*\.js$/, (route) =>
					route.abort(),
				);
				await arrive(stage, "/integration/select-bank", "consented");
				return stage.page.getByText("Recarregar a página");
			},
		},
	],
	brand: [
		{
			name: "consent",
			reach: async (stage) => {
				await atConsent(stage, { data: BRANDED });
				return mainHeading(stage.page);
			},
		},
		{
			name: "error with the firm's numbers",
			reach: async (stage) => {
				await arrive(stage, "/error/token-invalid", "linked", {
					data: BRANDED,
				});
				return stage.page.getByText(/WhatsApp/).first();
			},
		},
	],
};

/** All states; the step is a part of the name. */
export const STATES: readonly State[] = Object.entries(STEPS).flatMap(
	([step, states]) =>
		states.map((state) => ({ ...state, name: `${step}: ${state.name}` })),
);
