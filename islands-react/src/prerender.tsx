/**
 * The screens of each island as HTML, by name, rendered by the components that later hydrate them. The
 * server's module of each step (`crates/pages/src/steps`) picks a screen and replaces its tokens. This
 * file is built for Node; build.mjs runs it.
 */
import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { BankForm } from "./bank-form/BankForm";
import { eachField, type FieldName } from "./bank-form/fields";
import { Connect } from "./connect/Connect";
import { Consent } from "./consent/Consent";
import type { WidgetType } from "./generated/types";
import { createPage } from "./page/page";
import { PageServices } from "./use-page";

type Screens = Record<string, string>;

function render(view: ReactNode): string {
	return renderToString(
		<PageServices value={createPage()}>{view}</PageServices>,
	);
}

/** The consent with the usual or the firm's own purpose, with or without policy: "own-with-policy". */
function consentScreens(): Screens {
	const screens: Screens = {};
	for (const [name, purpose] of Object.entries(PURPOSES)) {
		screens[name] = consentScreen(purpose, null);
		screens[`${name}-with-policy`] = consentScreen(purpose, "{{privacyUrl}}");
	}
	return screens;
}

const PURPOSES = { usual: null, own: "{{purpose}}" };

function consentScreen(
	purpose: string | null,
	privacyUrl: string | null,
): string {
	const texts = {
		session: "{{session}}",
		text: "{{text}}",
		customerName: "{{customerName}}",
	};
	const client = {
		clientName: "{{clientName}}",
		clientDocument: "{{clientDocument}}",
	};
	return render(
		<Consent
			{...texts}
			{...client}
			purpose={purpose}
			privacyUrl={privacyUrl}
		/>,
	);
}

/** Placeholders in the consent's text for the values of a visit. */
const PLACES: Record<string, string> = {
	customerName: "[nome do escritório]",
	clientName: "[nome do cliente]",
	clientDocument: "[CPF ou CNPJ do cliente]",
	purpose: "[finalidade informada pelo escritório]",
};

/**
 * The consent's text from its first line to its button, for each kind of purpose. `docs/consent/` has
 * every text; its SHA-256 is the evidence of what a client agreed to.
 */
export function consentTexts(): Screens {
	const textOf = (purpose: string | null) => {
		const [request = ""] = consentScreen(purpose, null).split("</form>");
		return shownText(request);
	};
	return Object.fromEntries(
		Object.entries(PURPOSES).map(([name, purpose]) => [name, textOf(purpose)]),
	);
}

/**
 * Extracts the visible text of a prerendered screen, one line per paragraph, heading, item, box or
 * button. It does not decode entities, which the texts do not contain.
 */
function shownText(html: string): string {
	const lines = html
		.replaceAll(/<p[^>]* hidden=""[^>]*>[^<]*<\/p>/g, "")
		.replaceAll(/<input[^>]*type="checkbox"[^>]*>/g, "[ ] ")
		.replaceAll("<button", "\n<button")
		.replaceAll("<li", "\n- <li")
		.replaceAll(/<\/(?:p|h1|h2|li|ul|summary|label|button|div|section)>/g, "\n")
		.replaceAll(/<[^>]*>/g, "")
		.replaceAll(/\{\{(\w+)\}\}/g, (token, name) => PLACES[name] ?? token)
		.split("\n")
		.map((line) => line.replaceAll(/\s+/g, " ").trim());
	return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

/** The sets of fields that can be read-only: all results of `Client::fixed` in src/session/client.rs. */
const FIXED: FieldName[][] = [[], ["name"], ["cpf"], ["name", "cpf"]];

/** The form for each set, with or without the note that the bank is asked again: "name-asked-again". */
function bankFormScreens(): Screens {
	const screens: Screens = {};
	for (const fixed of FIXED) {
		for (const asked of ["asked-again", "asked-once"]) {
			const tokens = eachField((field) => `{{${field}}}`);
			const bank = {
				bank: "",
				bankName: "",
				bankKey: "",
				bankIsAskedAgain: asked === "asked-again",
			};
			const saved = { ...bank, ...tokens, fixed, clientIsCompany: false };
			const form = (
				<BankForm
					session=""
					saved={saved}
					firm="{{customerName}}"
					clientName=""
					bankBefore={{ text: "", hasFocus: false }}
				/>
			);
			screens[[...fixed, asked].join("-")] = render(form);
		}
	}
	return screens;
}

/** Connect for a new connection and for an update, while it requests a token. */
function connectScreens(): Screens {
	const texts = {
		session: "",
		customerName: "{{customerName}}",
		bank: "{{bank}}",
	};
	const screen = (widgetType: WidgetType) =>
		render(<Connect {...texts} widgetType={widgetType} />);
	return { opening: screen("new"), updating: screen("update") };
}

/** The screens of every island. An island's name is its folder. */
export const screensOf = {
	consent: consentScreens,
	"bank-form": bankFormScreens,
	connect: connectScreens,
} satisfies Record<string, () => Screens>;
