/**
 * The administrator's fields in the order of the screen, one row each. The form, its prerendered
 * screen, its checks, and what is kept and sent are derived from this table. The server decides which
 * fields are read-only. The checks give immediate feedback; the server enforces its own.
 */
import type { InputHTMLAttributes } from "react";
import type {
	Administrator,
	BankFormField,
	FieldErrorCode,
	SaveBankFormInput,
} from "../generated/types";
import { checkCpf, maskCpf } from "./cpf";

/** A field of the administrator. The form's other field, the bank, is chosen and not typed. */
export type FieldName = keyof Administrator;

export type Row = {
	label: string;
	input: InputHTMLAttributes<HTMLInputElement>;
	/** Formats typed text: keeps its digits, and may add punctuation. */
	mask?: (text: string) => string;
	check: (text: string) => FieldErrorCode | undefined;
	errors: Record<FieldErrorCode, string>;
	/** Whether the tab keeps the value across reloads. */
	isKept: boolean;
};

/** The limit of the server (`src/administrator.rs`). Both are tested with the same table. */
const MAX_NAME_CHARS = 120;

/** A field without a row is a type error. */
export const FIELDS: Readonly<Record<FieldName, Row>> = {
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
	const name = text.trim().replace(/\s+/g, " ");
	if (name === "") return "required";
	if (/\p{Cc}/u.test(name)) return "invalid";
	return [...name].length > MAX_NAME_CHARS ? "too_long" : undefined;
}

export const FIELD_NAMES = Object.keys(FIELDS) as readonly FieldName[];

/** The fields of the form in the order of the screen. The first invalid one gets the focus. */
export const ORDER: readonly BankFormField[] = ["bank", ...FIELD_NAMES];

/** Makes a record with a value for each of the administrator's fields. */
export function eachField<T>(
	make: (field: FieldName, row: Row) => T,
): Record<FieldName, T> {
	const entries = FIELD_NAMES.map((field) => [
		field,
		make(field, FIELDS[field]),
	]);
	return Object.fromEntries(entries) as Record<FieldName, T>;
}

export type Values = Omit<SaveBankFormInput, "session">;
export type FieldErrors = {
	[Field in BankFormField]?: FieldErrorCode | undefined;
};

export function checkFields(values: Values): FieldErrors {
	const errors: FieldErrors = values.bank === "" ? { bank: "required" } : {};
	for (const field of FIELD_NAMES) {
		const code = FIELDS[field].check(values[field]);
		if (code !== undefined) errors[field] = code;
	}
	return errors;
}
