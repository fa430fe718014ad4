import { type ActionDispatch, useReducer } from "react";
import type { BankFormField } from "../generated/types";
import { bankForm as words } from "../messages";
import {
	checkFields,
	FIELDS,
	type FieldErrors,
	type FieldName,
	ORDER,
	type Values,
} from "./fields";
import { type Banks, isAwaited } from "./use-banks";

/** The state of the fields' messages that does not follow from the values. */
type State = {
	/** The fields that show their errors. */
	shown: readonly BankFormField[];
	/** Errors of the server, each until its field is edited or the form is sent again. */
	refused: FieldErrors;
	/**
	 * The number of banks that match the text left in the bank field; undefined if the text identifies
	 * one bank or is empty.
	 */
	unclear: number | undefined;
	/** The focus has left the name with only one word in it. */
	nameIsShort: boolean;
	isSent: boolean;
	/** Whether the number of errors is announced, until a field is edited. */
	isCounted: boolean;
	/** The field edited since it last got the focus. */
	edited: BankFormField | undefined;
	/** The field whose error is announced, because the focus has left it. */
	left: BankFormField | undefined;
};

type FieldEvent =
	| { type: "edited"; field: BankFormField; values: Partial<Values> }
	| { type: "bankTyped" }
	/** `text`: the field's. */
	| { type: "left"; field: FieldName; text: string }
	/** `isEmpty`: no bank is chosen. */
	| { type: "bankLeft"; isEmpty: boolean; unclear: number | undefined }
	/** `refused`: the errors are the server's. */
	| { type: "sent" | "refused"; errors: FieldErrors; hasList: boolean }
	/** Follows `sent` or `refused`, once the focus is on the first error. */
	| { type: "counted" };

const INITIAL: State = {
	shown: [],
	refused: {},
	unclear: undefined,
	nameIsShort: false,
	isSent: false,
	isCounted: false,
	edited: undefined,
	left: undefined,
};

type Errors = {
	/** Returns the error that a field shows. */
	errorOf: (field: BankFormField) => string | undefined;
	nameIsShort: boolean;
	/** The text to announce: the number of errors, or the error of the field that lost the focus. */
	announcement: string;
};

/** Which fields show their errors, as what the person does decides. */
export function useShownErrors(): [State, ActionDispatch<[FieldEvent]>] {
	return useReducer(reduce, INITIAL);
}

/** The errors of the fields with these values. */
export function errorsOf(state: State, values: Values, banks: Banks): Errors {
	const { shown, refused, unclear, nameIsShort, isCounted, left } = state;
	const errors: FieldErrors = { ...refused, ...checkFields(values) };
	const invalid = shown.filter((field) => errors[field] !== undefined);

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

	function announcement(): string {
		if (isCounted && invalid.length > 0) return words.summary(invalid.length);
		return (left && errorOf(left)) ?? "";
	}

	return {
		errorOf,
		nameIsShort,
		announcement: announcement(),
	};
}

function reduce(state: State, event: FieldEvent): State {
	switch (event.type) {
		case "edited": {
			const { [event.field]: _edited, ...refused } = state.refused;
			const { name } = event.values;
			return {
				...state,
				refused,
				unclear: event.field === "bank" ? undefined : state.unclear,
				nameIsShort:
					state.nameIsShort && (name === undefined || isOneWord(name)),
				isCounted: false,
				edited: event.field,
				left: undefined,
			};
		}
		case "bankTyped":
			return {
				...state,
				unclear: undefined,
				isCounted: false,
				edited: "bank",
				left: undefined,
			};
		case "left":
			return {
				...state,
				...shownOnceLeft(state, event.field, event.text === ""),
				nameIsShort:
					event.field === "name" ? isOneWord(event.text) : state.nameIsShort,
			};
		case "bankLeft":
			return {
				...state,
				...shownOnceLeft(state, "bank", event.isEmpty),
				// Once the form has been sent, the field shows that it is required.
				unclear: state.isSent ? undefined : event.unclear,
			};
		case "sent":
		case "refused":
			return {
				...state,
				// Without a list the person could not choose a bank.
				shown: event.hasList
					? ORDER
					: ORDER.filter((field) => field !== "bank"),
				refused: event.type === "refused" ? event.errors : {},
				unclear: undefined,
				isSent: true,
				isCounted: false,
				edited: undefined,
				left: undefined,
			};
		case "counted":
			return { ...state, isCounted: true };
	}
}

/**
 * Shows a field's error on blur, unless the field is empty: empty fields show theirs after the first
 * submit. The error is announced if the field has been edited or shows it for the first time.
 */
function shownOnceLeft(
	{ shown, edited, left }: State,
	field: BankFormField,
	isEmpty: boolean,
): Pick<State, "shown" | "edited" | "left"> {
	const isFirst = !isEmpty && !shown.includes(field);
	return {
		shown: isFirst ? [...shown, field] : shown,
		edited: undefined,
		left: isFirst || edited === field ? field : left,
	};
}

/** Returns whether a name has only one word, and so is hardly complete. */
function isOneWord(name: string): boolean {
	return /^\S+$/.test(name.trim());
}
