/**
 * The administrator's fields, one row for each, in the order of the screen: the form, its prerendered screens, its checks, and
 * what is kept and sent all follow. The checks are for immediate feedback; the server enforces its own.
 */
import type { InputHTMLAttributes } from "react";
import type {
	Administrator,
	BankFormField,
	FieldErrorCode,
	SaveBankForm,
} from "../generated/types";
import { checkCpf, maskCpf } from "./cpf";

/** A field of the administrator; the bank is a field of the form, too, but chosen and not typed. */
export type Field = keyof Administrator;

export type Row = {
	label: string;
	input: InputHTMLAttributes<HTMLInputElement>;
	/** Formats what is typed. It may add punctuation, and removes all but digits. */
	mask?: (text: string) => string;
	check: (text: string) => FieldErrorCode | undefined;
	errors: Record<FieldErrorCode, string>;
	/** Whether this tab keeps it beyond a reload. */
	isKept: boolean;
};

/** As in the server's rule (`domain::administrator`); both are tested with the same table. */
const MAX_NAME_CHARS = 120;

/** The compiler names a field that has no row. */
export const FIELDS: Readonly<Record<Field, Row>> = {
	name: {
		label: "Nome completo do administrador",
		input: {
			"aria-required": true,
			maxLength: MAX_NAME_CHARS,
			autoComplete: "name",
			autoCapitalize: "words",
			spellCheck: false,
		},
		check: checkName,
		errors: {
			required:
				"Obrigatório preencher o nome completo do administrador da conta bancária!",
			invalid:
				"O nome tem um caractere que não pode ser usado. Apague tudo e digite de novo.",
			too_long: `O nome está longo demais: use até ${MAX_NAME_CHARS} caracteres.`,
		},
		isKept: true,
	},
	cpf: {
		label: "CPF do administrador",
		input: {
			"aria-required": true,
			inputMode: "numeric",
			autoComplete: "off",
			placeholder: "000.000.000-00",
		},
		mask: maskCpf,
		check: checkCpf,
		errors: {
			required:
				"Obrigatório preencher o CPF do administrador da conta bancária!",
			invalid: "CPF inválido!",
			too_long: "CPF inválido!",
		},
		isKept: false,
	},
};

function checkName(text: string): FieldErrorCode | undefined {
	const name = text.trim();
	if (name === "") return "required";
	if (/\p{Cc}/u.test(name)) return "invalid";
	return [...name].length > MAX_NAME_CHARS ? "too_long" : undefined;
}

export const NAMES = Object.keys(FIELDS) as readonly Field[];

/** The fields of the form in the order of the screen: the first invalid one gets the focus. */
export const ORDER: readonly BankFormField[] = ["bank", ...NAMES];

/** A value for each of the administrator's fields. */
export function eachField<T>(
	make: (field: Field, row: Row) => T,
): Record<Field, T> {
	return Object.fromEntries(
		NAMES.map((field) => [field, make(field, FIELDS[field])]),
	) as Record<Field, T>;
}

export type Values = Omit<SaveBankForm, "session">;
export type FieldErrors = Partial<Record<BankFormField, FieldErrorCode>>;

export function checkFields(values: Values): FieldErrors {
	const errors: FieldErrors = values.bank === "" ? { bank: "required" } : {};
	for (const field of NAMES) {
		const code = FIELDS[field].check(values[field]);
		if (code !== undefined) errors[field] = code;
	}
	return errors;
}
