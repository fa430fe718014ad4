/**
 * The screens of each island as HTML, by name, rendered by the components that later hydrate them. The
 * server's module of each step (`src/pages/steps`) picks a screen and replaces its tokens. This
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

/** The consent without and with a link to the privacy policy. */
function consentScreens(): Screens {
	const texts = {
		session: "{{session}}",
		customerName: "{{customerName}}",
		clientName: "{{clientName}}",
		clientDocument: "{{clientDocument}}",
	};
	return {
		"without-policy": render(<Consent {...texts} privacyUrl={null} />),
		"with-policy": render(<Consent {...texts} privacyUrl="{{privacyUrl}}" />),
	};
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
