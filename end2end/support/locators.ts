/**
 * What many tests look for on the screens, as a person does: by role, name and text. Those that are found by
 * class or id have no role of their own.
 */
import type { FrameLocator, Locator, Page } from "@playwright/test";
import type { Account } from "./widget-api.ts";

// All screens.

export const mainHeading = (page: Page): Locator =>
	page.getByRole("heading", { level: 1 });

export const retryButton = (page: Page): Locator =>
	page.getByRole("button", { name: "Tentar de novo" });

/** The messages at the top of the screen, and their buttons. */
export const toasts = (page: Page): Locator =>
	page.getByRole("region", { name: "Aviso" });

/** What a toast says of a request without a response. */
const REQUEST_FAILED = "Houve falha na requisição.";

/** The toast of a failed request. */
export const failureToast = (page: Page): Locator =>
	toasts(page).getByText(REQUEST_FAILED, { exact: true });

/** Replaces a part of a page whose script has failed. */
export const brokenPart = (page: Page): Locator =>
	page.getByText("Não foi possível mostrar esta parte da página.");

/**
 * Matches the URL after a failed action, with the support code of the failed request. `outage`: the
 * widget API itself failed, and the screen does not blame the link.
 */
export function errorUrl(kind: string, { outage = false } = {}): RegExp {
	return new RegExp(
		`/error/${kind}\\?${outage ? "falha=servico&" : ""}codigo=[0-9a-f]{12}$`,
	);
}

// Consent.

export const consentBox = (page: Page): Locator => page.getByRole("checkbox");

export const consentButton = (page: Page): Locator =>
	page.getByRole("button", { name: "Autorizar integrações bancárias" });

// Accounts.

export const newBankLink = (page: Page): Locator =>
	page.getByRole("link", { name: "Integrar novo banco" });

export const cancelLink = (page: Page): Locator =>
	page.getByRole("link", { name: "clique aqui" });

export const accountRow = (
	page: Page,
	{ number }: Pick<Account, "number">,
): Locator => page.getByRole("row").filter({ hasText: number });

/** The table's title: how many accounts there are. */
export const accountsTitle = (page: Page): Locator =>
	page.getByRole("heading", { level: 2 });

/** How loading the list goes. Empty if it goes well. */
export const accountsStatus = (page: Page): Locator =>
	page.locator(".accounts-list .list-status");

/** How old the list is. */
export const accountsAge = (page: Page): Locator =>
	page.locator(".live-status");

// Bank form.

export const bankField = (page: Page): Locator => page.getByRole("combobox");

export const bankOptions = (page: Page): Locator => page.getByRole("option");

export const nameField = (page: Page): Locator =>
	page.getByLabel("Nome completo do administrador");

export const cpfField = (page: Page): Locator =>
	page.getByLabel("CPF do administrador");

export const nextButton = (page: Page): Locator =>
	page.getByRole("button", { name: "Avançar" });

// Connect.

export const connectDialog = (page: Page): Locator =>
	page.getByRole("dialog", { name: "Conexão com o banco" });

/** The text below the spinner, which a live region may repeat. */
export const connectProgress = (page: Page): Locator =>
	page.locator(".loading__text");

/** Pluggy's frame, or that of its stand-in. */
export const connectFrame = (page: Page): FrameLocator =>
	page.frameLocator(
		'iframe[title="Pluggy"][name^="__zoid__pluggy_connect_widget__"]',
	);

// Success.

export const successTitle = (page: Page): Locator =>
	page.getByRole("heading", { name: "Integração concluída com sucesso!" });

export const anotherAccountLink = (page: Page): Locator =>
	page.getByRole("link", { name: "Integrar outra conta bancária" });

// Cancellation.

export const cancelAllButton = (page: Page): Locator =>
	page.getByRole("button", { name: "Cancelar todas integrações" });

/** The line below the button: how the cancellation goes. */
export const cancellationStatus = (page: Page): Locator =>
	page.locator(".list-status");
