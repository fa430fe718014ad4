import { useReducer } from "react";
import type { BankFormField } from "../generated/types";
import { bankForm as words } from "../messages";
import {
	checkFields,
	FIELDS,
	type FieldErrors,
	ORDER,
	type Values,
} from "./fields";
import { type Banks, isAwaited } from "./use-banks";

/** What the form says about its fields, as far as it does not follow from their values. */
type Said = {
	/** The fields that show their errors. */
	shown: readonly BankFormField[];
	/** What the server has refused, until it is edited. */
	refused: FieldErrors;
	/** Matches of the text left in the bank field; undefined if it identifies one bank, or the field is empty. */
	unclear: number | undefined;
	/** The name was left with one word only. */
	nameIsShort: boolean;
	isSent: boolean;
	/** How many fields are to be corrected, until one of them is. */
	summary: string;
	/** The field that has been edited and not been left since. */
	edited: BankFormField | undefined;
	/** The field whose error is announced, because it was left with it. */
	left: BankFormField | undefined;
};

type Event =
	| { type: "edited"; field: BankFormField; values: Partial<Values> }
	| { type: "bankTyped" }
	| { type: "left"; field: BankFormField; values: Values }
	| { type: "bankLeft"; values: Values; unclear: number | undefined }
	/** `refused`: the server has refused them. */
	| { type: "sent" | "refused"; errors: FieldErrors; hasList: boolean }
	/** After `sent` or `refused`, once the focus is on the first error. */
	| { type: "counted"; errors: FieldErrors; hasList: boolean };

const NOTHING: Said = {
	shown: [],
	refused: {},
	unclear: undefined,
	nameIsShort: false,
	isSent: false,
	summary: "",
	edited: undefined,
	left: undefined,
};

type Errors = {
	/** All errors, whether they are shown or not. */
	errors: FieldErrors;
	/** The error that a field shows. */
	errorOf: (field: BankFormField) => string | undefined;
	nameIsShort: boolean;
	/** What is announced: how many fields are to be corrected, or the error that a field was left with. */
	said: string;
	tell: (event: Event) => void;
};

/** The errors of the fields, and when they are shown. */
export function useFieldErrors(values: Values, banks: Banks): Errors {
	const [{ shown, refused, unclear, nameIsShort, summary, left }, tell] =
		useReducer(reduce, NOTHING);
	const errors: FieldErrors = { ...refused, ...checkFields(values) };

	function errorOf(field: BankFormField): string | undefined {
		if (field === "bank" && isAwaited(banks))
			return banks.status === "failed" ? banks.why : words.bankWait;
		if (field === "bank" && unclear !== undefined)
			return unclear === 0 ? words.banksNone : words.bankUnclear;
		const code = errors[field];
		if (code === undefined || !shown.includes(field)) return undefined;
		if (field !== "bank") return FIELDS[field].errors[code];
		return code === "required" ? words.bankRequired : words.bankInvalid;
	}

	const said = summary || (left && errorOf(left)) || "";
	return { errors, errorOf, nameIsShort, said, tell };
}

function reduce(said: Said, event: Event): Said {
	switch (event.type) {
		case "edited": {
			const { [event.field]: _edited, ...refused } = said.refused;
			const { name } = event.values;
			return {
				...said,
				refused,
				unclear: event.field === "bank" ? undefined : said.unclear,
				nameIsShort:
					said.nameIsShort && (name === undefined || isOneWord(name)),
				summary: "",
				edited: event.field,
				left: undefined,
			};
		}
		case "bankTyped":
			return { ...said, unclear: undefined, edited: "bank", left: undefined };
		case "left":
			return {
				...said,
				...shownOnceLeft(said, event.field, event.values),
				nameIsShort:
					event.field === "name"
						? isOneWord(event.values.name)
						: said.nameIsShort,
			};
		case "bankLeft":
			return {
				...said,
				...shownOnceLeft(said, "bank", event.values),
				// Once the form has been sent, the field says that it is required.
				unclear: said.isSent ? undefined : event.unclear,
			};
		case "sent":
		case "refused":
			return {
				...said,
				// Without a list the person could not choose a bank.
				shown: event.hasList
					? ORDER
					: ORDER.filter((field) => field !== "bank"),
				refused: event.type === "refused" ? event.errors : said.refused,
				unclear: undefined,
				isSent: true,
				summary: "",
				edited: undefined,
				left: undefined,
			};
		case "counted":
			return { ...said, summary: summaryOf(event.errors, event.hasList) };
	}
}

/**
 * A field shows its error on blur, unless it is empty: those show theirs after the first submit. It is announced if the field
 * has been edited, or shows it for the first time.
 */
function shownOnceLeft(
	{ shown, edited, left }: Said,
	field: BankFormField,
	values: Values,
): Pick<Said, "shown" | "edited" | "left"> {
	const isFirst = values[field] !== "" && !shown.includes(field);
	return {
		shown: isFirst ? [...shown, field] : shown,
		edited: undefined,
		left: isFirst || edited === field ? field : left,
	};
}

function summaryOf(errors: FieldErrors, hasList: boolean): string {
	const bad = ORDER.filter(
		(field) => errors[field] !== undefined && (hasList || field !== "bank"),
	);
	return bad.length > 0 ? words.summary(bad.length) : "";
}

/** Banks know people by several names, so one alone is hardly complete. */
function isOneWord(name: string): boolean {
	return /^\S+$/.test(name.trim());
}
