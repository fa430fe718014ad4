/** The bank form in tests: served, hydrated, with mocked responses of the server. */
import { screen } from "@testing-library/react";
import { mount } from "../bank-form";
import { eachField } from "../bank-form/fields";
import type { BankFormContext } from "../generated/types";
import { screens } from "../prerender";
import {
	type Answer,
	answerActions,
	CONTEXT,
	mountIsland,
	putContext,
	putHost,
	renderTemplate,
	watchLocation,
} from "./page";

const NOBODY = eachField(() => "");
const EMPTY = {
	bank: "",
	bankName: "",
	bankIsAskedAgain: true,
	...NOBODY,
};

export const ADMIN = { ...NOBODY, name: "Bia Lima", cpf: "529.982.247-25" };
export const FORM = {
	bank: "260",
	bankName: "Nubank",
	...ADMIN,
};
export const BANKS = [
	{ code: "001", name: "Banco do Brasil", brand: "Banco do Brasil" },
	{ code: "260", name: "Nu Pagamentos", brand: "Nubank" },
	{ code: "756", name: "Credi Norte" },
	{ code: "756", name: "Credi Sul" },
];
export const LIST: Answer = { body: { banks: BANKS } };
export const SAVED: Answer = { body: { to: "/integration/widget" } };

export const bank = () =>
	screen.getByRole<HTMLInputElement>("combobox", { name: "Banco" });
export const name = () =>
	screen.getByRole<HTMLInputElement>("textbox", {
		name: "Nome completo do administrador",
	});
export const cpf = () =>
	screen.getByRole<HTMLInputElement>("textbox", {
		name: "CPF do administrador",
	});
export const submit = () =>
	screen.getByRole<HTMLButtonElement>("button", { name: "Avançar" });
export const values = () => [bank(), name(), cpf()].map((field) => field.value);

/** Puts the form into the document as the server renders it. Returns its host. */
export function serve(
	saved: Partial<BankFormContext>,
	session = "s-1",
): HTMLElement {
	const bankForm = { ...EMPTY, fixed: [], ...saved };
	putContext({ ...CONTEXT, session, bankForm });
	const { customerName } = CONTEXT;
	return putHost(renderTemplate(screens["bank-form"], { customerName }));
}

type Given = { list?: Answer[]; save?: Answer[]; session?: string };

/** Serves and hydrates the form. The list of banks and the form get the given responses in turn. */
export async function show(
	saved: Partial<BankFormContext> = {},
	given: Given = {},
) {
	const { list = [LIST], save = [SAVED], session } = given;
	const { replace } = watchLocation();
	const calls = answerActions({ list_banks: list, save_bank_form: save });
	const host = serve(saved, session);
	await mountIsland(mount, host);
	const inputs = (action: string) =>
		calls.filter((call) => call.action === action).map(({ input }) => input);
	return {
		host,
		calls,
		replace,
		saved: () => inputs("save_bank_form"),
		lists: () => inputs("list_banks"),
	};
}
