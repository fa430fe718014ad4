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

/** The only row if no bank was found. It shows the whole list. */
export const SHOW_ALL = "show all";

export type Row = ListedBank | typeof SHOW_ALL;

type State = UseComboboxState<Row>;

const {
	FunctionCloseMenu,
	FunctionSelectItem,
	InputBlur,
	InputChange,
	InputClick,
	InputKeyDownArrowUp,
	InputKeyDownEnter,
	InputKeyDownEscape,
	InputKeyDownPageDown,
	InputKeyDownPageUp,
	ItemClick,
} = useCombobox.stateChangeTypes;

/** The number of rows that Page Up and Page Down move by. */
const PAGE = 10;

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
	combobox: UseComboboxReturnValue<Row>;
	input: RefObject<HTMLInputElement | null>;
	/** The chosen bank. */
	bank: ListedBank | undefined;
	rows: readonly Row[];
	/** The text that the rows match; empty if they are the whole list. */
	query: string;
	/** Whether the list is shown. It opens once it has loaded, if the person has opened it before. */
	isShown: boolean;
	/** The announcement of a chosen bank or of the loaded list. */
	said: string;
	/** Sets the text that the rows match, with the text of the input. */
	search: (text: string) => void;
	/** Closes the list, and chooses as `leaveField` does. */
	leave: () => void;
	/**
	 * Takes the text that the input shows, which may have been set without an event, and closes the list.
	 * Returns the bank that this chooses.
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
	const rows = useMemo(() => rowsOf(list, query, index), [list, query, index]);
	const combobox = useCombobox<Row>({
		items: rows,
		itemToString: textOf,
		stateReducer: isLocked ? keep : bankReducer(index),
		scrollIntoView: (row) => row.scrollIntoView({ block: "nearest" }),
		onStateChange({ type, ...changes }) {
			const next = { ...state, ...changes };
			if (changes.isOpen !== undefined) setSaid("");
			if (changes.inputValue !== undefined) setQuery(queryOf(next));
			// Only the arrival of the list (`receive`) chooses a bank by a function.
			if (changes.selectedItem !== undefined && type !== FunctionSelectItem)
				change(bankOf(next));
		},
	});
	const { isOpen, highlightedIndex, selectedItem, inputValue } = combobox;
	const state: State = { isOpen, highlightedIndex, selectedItem, inputValue };

	function change(bank: ListedBank | undefined): void {
		onChange();
		if (bank !== undefined) setSaid(words.bankTaken(bank.label));
	}

	function settle(): ListedBank | undefined {
		const shown = { ...state };
		const text = input.current?.value ?? inputValue;
		if (text !== inputValue) {
			shown.inputValue = text;
			shown.highlightedIndex = -1;
			combobox.setInputValue(text);
			combobox.setHighlightedIndex(-1);
		}
		combobox.closeMenu();
		return bankOf(leaveField(shown, rows, index));
	}

	/** Chooses the saved bank from the loaded list, or searches it for the text typed meanwhile. */
	function receive(loaded: readonly ListedBank[]): void {
		const field = input.current;
		if (field === null) return;
		const isHere =
			field.closest(".combobox")?.contains(document.activeElement) === true;
		// The retry button is removed.
		if (isHere) field.focus();
		const text = field.value.trim();
		const bank = savedBank(loaded, saved);
		const { certain } = searchBanks(searchable(loaded), text);
		if (text === "") {
			combobox.setHighlightedIndex(bank ? loaded.indexOf(bank) : -1);
			combobox.selectItem(bank ?? null);
			if (isHere) setSaid(words.banksListed(loaded.length));
		} else if (isHere) {
			combobox.openMenu();
			combobox.setHighlightedIndex(certain ? 0 : -1);
		} else if (certain !== undefined) {
			combobox.selectItem(certain);
			change(certain);
		}
	}

	return {
		banks,
		retry,
		combobox,
		input,
		bank: bankOf(state),
		rows,
		query,
		isShown: isOpen && list.length > 0,
		said,
		search: (text) => setQuery(text.trim()),
		leave: combobox.closeMenu,
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
		{ type, altKey, changes, props }: UseComboboxStateChangeOptions<Row>,
	): Partial<State> => {
		const last = props.items.length - 1;
		const closed = { ...state, isOpen: false, highlightedIndex: -1 };
		switch (type) {
			case InputChange: {
				const typed = { ...state, ...changes };
				const isEmpty = typed.inputValue.trim() === "";
				return {
					...typed,
					selectedItem: isEmpty ? null : state.selectedItem,
					highlightedIndex: certainOf(banks, typed) === undefined ? -1 : 0,
				};
			}
			// Downshift would close the open list.
			case InputClick:
				return state.isOpen ? state : changes;
			// With Alt, downshift would choose the highlighted row.
			case InputKeyDownArrowUp:
				return altKey ? closed : changes;
			// Downshift would wrap around.
			case InputKeyDownPageUp:
				return { highlightedIndex: Math.max(state.highlightedIndex - PAGE, 0) };
			case InputKeyDownPageDown:
				return {
					highlightedIndex: Math.min(state.highlightedIndex + PAGE, last),
				};
			// Downshift would keep the typed text, and a second Escape would remove the choice.
			case InputKeyDownEscape:
				return state.isOpen
					? { ...closed, inputValue: textOf(state.selectedItem) }
					: state;
			case InputKeyDownEnter: {
				const row = takenRow(state, props.items, banks);
				return row === undefined ? state : choose(closed, row);
			}
			case ItemClick:
				return choose(closed, changes.selectedItem ?? SHOW_ALL);
			case InputBlur:
			case FunctionCloseMenu:
				return leaveField(state, props.items, banks);
			default:
				return changes;
		}
	};
}

/**
 * The row that Enter chooses: the highlighted one, or the bank that the text identifies. Leaving the field
 * chooses the same bank.
 */
function takenRow(
	state: State,
	rows: readonly Row[],
	banks: readonly SearchableBank[],
): Row | undefined {
	return rows[state.highlightedIndex] ?? certainOf(banks, state);
}

function choose(closed: State, row: Row): State {
	return row === SHOW_ALL
		? { ...closed, isOpen: true, selectedItem: null, inputValue: "" }
		: { ...closed, selectedItem: row, inputValue: row.label };
}

/** Closes the list. A text that does not identify a bank stays, and no bank is chosen. */
function leaveField(
	state: State,
	rows: readonly Row[],
	banks: readonly SearchableBank[],
): State {
	const closed = { ...state, isOpen: false, highlightedIndex: -1 };
	const row = takenRow(state, rows, banks);
	if (row !== undefined && row !== SHOW_ALL) return choose(closed, row);
	if (queryOf(state) !== "") return { ...closed, selectedItem: null };
	return { ...closed, inputValue: textOf(state.selectedItem) };
}

function certainOf(
	banks: readonly SearchableBank[],
	state: State,
): ListedBank | undefined {
	return searchBanks(banks, queryOf(state)).certain;
}

/** The typed text, empty if the input shows the chosen bank. */
function queryOf({ inputValue, selectedItem }: State): string {
	return inputValue === textOf(selectedItem) ? "" : inputValue.trim();
}

function bankOf({ selectedItem }: State): ListedBank | undefined {
	return selectedItem === null || selectedItem === SHOW_ALL
		? undefined
		: selectedItem;
}

function textOf(row: Row | null): string {
	return row === null || row === SHOW_ALL ? "" : row.label;
}

function rowsOf(
	list: readonly ListedBank[],
	query: string,
	index: readonly SearchableBank[],
): Row[] {
	if (query === "" || list.length === 0) return [...list];
	const found = searchBanks(index, query).banks;
	return found.length === 0 ? [SHOW_ALL] : [...found];
}
