import {
	type UseComboboxReturnValue,
	type UseComboboxState,
	type UseComboboxStateChangeOptions,
	useCombobox,
} from "downshift";
import { type RefObject, useMemo, useRef, useState } from "react";
import { bankForm as words } from "../messages";
import { type ListedBank, type SavedBank, savedBank } from "./bank-list";
import { type SearchableBank, searchable, searchBanks } from "./bank-search";
import { type Banks, useBanks } from "./use-banks";

type State = UseComboboxState<ListedBank>;

const { FunctionSelectItem, InputBlur, InputChange, InputKeyDownEnter } =
	useCombobox.stateChangeTypes;

type Options = {
	session: string;
	/** Chosen once the list has loaded. */
	saved: SavedBank;
	/** The form is being sent: the person can neither choose nor open the list. */
	isLocked: boolean;
	/** Called when the person has chosen a bank, or removed the choice. */
	onChange: () => void;
};

export type BankPickerState = {
	banks: Banks;
	/** Loads the list again. */
	retry: () => void;
	combobox: UseComboboxReturnValue<ListedBank>;
	input: RefObject<HTMLInputElement | null>;
	/** The bank that the text identifies. */
	bank: ListedBank | undefined;
	/** The banks that match the query, or the whole list if no bank matches or the query is empty. */
	rows: readonly ListedBank[];
	query: string;
	/** The number of banks that match the query. */
	found: number;
	/** Whether the list is shown. It opens once it has loaded, if the person has opened it before. */
	isShown: boolean;
	/** The announcement of a chosen bank or of the loaded list. */
	said: string;
	/**
	 * Takes the text that the input shows, which may have been set without an event. Returns the bank that
	 * it identifies.
	 */
	settle: () => ListedBank | undefined;
};

const NO_BANKS: readonly ListedBank[] = [];

/** The list of banks, and the state of its combobox, which downshift holds. */
export function useBankPicker({
	session,
	saved,
	isLocked,
	onChange,
}: Options): BankPickerState {
	const { banks, retry } = useBanks(session, receive);
	const input = useRef<HTMLInputElement>(null);
	const list = banks.status === "ready" ? banks.list : NO_BANKS;
	const [query, setQuery] = useState("");
	const [said, setSaid] = useState("");
	// Kept, because the form renders at each key in any field, and a search takes a slow phone up to 20 ms.
	const index = useMemo(() => searchable(list), [list]);
	const found = useMemo(() => searchBanks(index, query).banks, [index, query]);
	const rows = found.length > 0 ? found : list;
	const combobox = useCombobox<ListedBank>({
		// Downshift only reads it.
		items: rows as ListedBank[],
		itemToString: textOf,
		stateReducer: isLocked ? keep : bankReducer(index),
		scrollIntoView: (row) => row.scrollIntoView({ block: "nearest" }),
		onStateChange({ type, ...changes }) {
			const next = { ...state, ...changes };
			setQuery(queryOf(next));
			if (changes.isOpen !== undefined) setSaid("");
			// By `receive` or `settle`.
			if (type === FunctionSelectItem) return;
			if (bankOf(next, index) !== bank) onChange();
			if (changes.selectedItem)
				setSaid(words.bankTaken(changes.selectedItem.label));
		},
	});
	const { isOpen, highlightedIndex, selectedItem, inputValue } = combobox;
	const state: State = { isOpen, highlightedIndex, selectedItem, inputValue };
	const bank = useMemo(
		() => bankOf({ selectedItem, inputValue }, index),
		[selectedItem, inputValue, index],
	);

	function settle(): ListedBank | undefined {
		const text = input.current?.value ?? inputValue;
		const settled = bankOf({ selectedItem, inputValue: text }, index);
		if (settled !== undefined) combobox.selectItem(settled);
		else combobox.setInputValue(text);
		return settled;
	}

	/** Chooses the saved bank from the loaded list, or the one that a text identifies that was left meanwhile. */
	function receive(loaded: readonly ListedBank[]): void {
		const field = input.current;
		if (field === null) return;
		const isHere =
			field.closest(".combobox")?.contains(document.activeElement) === true;
		// The retry button is removed.
		if (isHere) field.focus();
		const text = field.value.trim();
		const chosen =
			text === ""
				? savedBank(loaded, saved)
				: searchBanks(searchable(loaded), text).certain;
		const isTyping = isHere && text !== "";
		if (chosen !== undefined && !isTyping) combobox.selectItem(chosen);
		if (isHere && !isOpen) setSaid(words.banksListed(loaded.length));
	}

	return {
		banks,
		retry,
		combobox,
		input,
		bank,
		rows,
		query,
		found: found.length,
		isShown: isOpen && list.length > 0,
		said,
		settle,
	};
}

/** The rule of a combobox that is locked. */
function keep(state: State): State {
	return state;
}

/** The rules of the bank's combobox where they differ from downshift's. */
function bankReducer(banks: readonly SearchableBank[]) {
	return (
		state: State,
		{ type, changes, props }: UseComboboxStateChangeOptions<ListedBank>,
	): Partial<State> => {
		const next = { ...state, ...changes };
		switch (type) {
			// Highlights the one match, which is the first row and which Enter then chooses. The label of the
			// chosen bank searches for nothing.
			case InputChange: {
				const isFound =
					queryOf(next) !== "" && bankOf(next, banks) !== undefined;
				return { ...changes, highlightedIndex: isFound ? 0 : -1 };
			}
			// Downshift would close the list without a choice.
			case InputKeyDownEnter: {
				const row = props.items[state.highlightedIndex];
				const taken = row ?? bankOf(state, banks);
				return taken ? { ...changes, ...chosen(taken) } : state;
			}
			// Leaving the field chooses the bank that the text identifies; Tab the highlighted row.
			case InputBlur: {
				const taken = bankOf(next, banks);
				return taken ? { ...changes, ...chosen(taken) } : changes;
			}
			default:
				return changes;
		}
	};
}

function chosen(bank: ListedBank): Partial<State> {
	return { selectedItem: bank, inputValue: bank.label };
}

/** The chosen bank if the text is its label, else the one that the text identifies. */
function bankOf(
	{ selectedItem, inputValue }: Pick<State, "selectedItem" | "inputValue">,
	banks: readonly SearchableBank[],
): ListedBank | undefined {
	if (selectedItem?.label === inputValue) return selectedItem;
	return searchBanks(banks, inputValue).certain;
}

/** The typed text, empty if the input shows the chosen bank. */
function queryOf({ inputValue, selectedItem }: State): string {
	return inputValue === textOf(selectedItem) ? "" : inputValue.trim();
}

function textOf(bank: ListedBank | null): string {
	return bank?.label ?? "";
}
