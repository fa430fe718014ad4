/**
 * The screen of each island as HTML, rendered by the component that later hydrates it. What differs
 * between sessions comes with hydration, except texts in tokens, which the server replaces
 * (`src/steps`). This file is built for Node; build.mjs runs it.
 */
import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { BankForm } from "./bank-form/BankForm";
import { eachField } from "./bank-form/fields";
import { Connect } from "./connect/Connect";
import { Consent } from "./consent/Consent";
import { createPage } from "./page/page";
import { PageServices } from "./use-page";

const NOT_SAVED = {
	bank: "",
	bankName: "",
	bankIsAskedAgain: false,
	fixed: [],
	...eachField(() => ""),
};

const CONNECT = {
	session: "",
	customerName: "{{customerName}}",
	bank: "{{bank}}",
};

function render(view: ReactNode): string {
	return renderToString(
		<PageServices value={createPage()}>{view}</PageServices>,
	);
}

/** The screen of every island. An island's name is its folder. */
export const screens = {
	consent: render(
		<Consent
			session="{{session}}"
			customerName="{{customerName}}"
			clientName="{{clientName}}"
			clientDocument="{{clientDocument}}"
		/>,
	),
	"bank-form": render(
		<BankForm session="" saved={NOT_SAVED} firm="{{customerName}}" />,
	),
	connect: render(<Connect {...CONNECT} />),
	update: render(<Connect {...CONNECT} isUpdate />),
};
