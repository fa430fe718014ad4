import {
	type FocusEvent,
	type KeyboardEvent,
	type ReactNode,
	type RefObject,
	useEffect,
	useEffectEvent,
	useId,
	useMemo,
	useRef,
	useState,
} from "react";
import { common, bankForm as words } from "../messages";
import { Button } from "../ui/Button";
import { Live } from "../ui/Live";
import { type BankGroup, BankOptions, optionId } from "./BankOptions";
import type { ListedBank } from "./bank-list";
import { searchable, searchBanks } from "./bank-search";
import type { FieldLinks } from "./Field";
import { type Banks, isLoading } from "./use-banks";

/*
 * A combobox without a library: downshift costs 13.7 kB gzip, more than the rest of this form, and the
 * form needs none of its extras. The behaviour follows the ARIA APG's "editable combobox with list
 * autocomplete": the focus stays in the input, and aria-activedescendant names the active option.
 */

/** The breakpoint of the style sheet. */
const WIDER_THAN_PHONES = "(min-width: 550px)";

/** The number of matches is announced after this pause in typing. */
const SETTLED_AFTER_MS = 500;

type Props = {
	links: FieldLinks;
	/** The input. */
	ref: RefObject<HTMLInputElement | null>;
	list: readonly ListedBank[];
	chosen: ListedBank | undefined;
	onChange: (bank: ListedBank | undefined) => void;
	onType: () => void;
	/**
	 * Called on blur, with the chosen bank. `unclear` is the number of matches of a text that does not
	 * identify one bank.
	 */
	onLeave: (bank: ListedBank | undefined, unclear: number | undefined) => void;
	/** Text typed while the list loads is searched for once the list is there. */
	status: Banks["status"];
	/** Loads the list again after a failure. Its button stands next to the input: nothing below moves. */
	retry: () => void;
};

/** `active` is the index of the highlighted row, or -1. `moved`: the arrow keys have highlighted it. */
type Open = { active: number; moved: boolean };

/** Opens the list as soon as it has loaded, unless the field loses the focus before. */
const ONCE_READY = "once ready";

export function BankPicker(props: Props): ReactNode {
	const { ref: input, list, chosen, onChange, status } = props;
	const waiting = status !== "ready";
	const hasFailed = status === "failed" || status === "retrying";
	const isBusy = isLoading(props);
	const [opened, setOpened] = useState<Open | typeof ONCE_READY>();
	/** Typed text that is not a choice; undefined while the input shows the chosen bank. */
	const [typed, setTyped] = useState<string>();
	/** The announcement of a bank chosen by leaving the field, or of the loaded list. */
	const [said, setSaid] = useState("");
	const hasRetried = useRef(false);
	const listbox = useRef<HTMLDivElement>(null);
	const activeRow = useRef<HTMLDivElement>(null);
	const listId = useId();
	const prepared = useMemo(() => searchable(list), [list]);
	const query = typed?.trim() ?? "";
	const found = useMemo(() => searchBanks(prepared, query), [prepared, query]);
	const rows = query === "" ? list : found.banks;
	// The only row then shows the whole list.
	const isNothing = query !== "" && rows.length === 0;
	const rowCount = isNothing ? 1 : rows.length;
	const chosenAt = chosen === undefined ? -1 : list.indexOf(chosen);
	const open = openNow();
	const active =
		open === undefined || (isNothing && !open.moved) ? -1 : open.active;
	const count = useSettled(
		open === undefined ? "" : words.banksCount(rows.length),
		query,
	);
	const isOpen = open !== undefined;

	useEffect(() => {
		if (isOpen) makeRoom(input.current);
	}, [isOpen, input]);

	useEffect(() => {
		if (active >= 0) activeRow.current?.scrollIntoView({ block: "nearest" });
	}, [active]);

	// In an effect and not at the end of the request, because a typed text is searched for in the list as
	// it is rendered.
	const onReady = useEffectEvent(() => {
		const field = input.current;
		// The pressed button has been removed.
		if (hasRetried.current && document.activeElement === document.body)
			field?.focus();
		if (document.activeElement !== field) {
			if (typed !== undefined) leave();
		} else if (typed !== undefined) {
			setOpened(ONCE_READY);
		} else if (opened === undefined) {
			setSaid(words.banksListed(list.length));
		}
	});
	useEffect(() => {
		if (!waiting) onReady();
	}, [waiting]);

	function openNow(): Open | undefined {
		if (waiting) return undefined;
		return opened === ONCE_READY
			? { active: query === "" ? chosenAt : 0, moved: false }
			: opened;
	}

	function show(next: Open): void {
		setSaid("");
		setOpened(waiting ? ONCE_READY : next);
	}

	function choose(bank: ListedBank): void {
		revert();
		onChange(bank);
	}

	function type(text: string): void {
		const isEmpty = text.trim() === "";
		if (isEmpty && chosen !== undefined) onChange(undefined);
		props.onType();
		// Without a list, an empty field still has its chosen bank.
		setTyped(isEmpty && waiting ? undefined : text);
		// The first row of another search is the best match.
		if (listbox.current) listbox.current.scrollTop = 0;
		show({ active: isEmpty ? -1 : 0, moved: false });
	}

	function enter(): void {
		const bank = rows[active];
		if (bank !== undefined) choose(bank);
		else if (isNothing && active === 0) type("");
	}

	/**
	 * Closes the list. Chooses and returns the bank that the arrow keys have highlighted or that the text
	 * identifies. Any other text stays, and no bank is chosen.
	 */
	function close(): ListedBank | undefined {
		const bank = bankOnClose();
		if (bank === undefined) {
			setOpened(undefined);
		} else {
			choose(bank);
			setSaid(words.bankTaken(bank.label));
		}
		return bank;
	}

	function bankOnClose(): ListedBank | undefined {
		if (query === "" || waiting) return undefined;
		return open?.moved ? rows[active] : found.certain;
	}

	function leave(): void {
		const bank = close() ?? (typed === undefined ? chosen : undefined);
		if (bank === undefined && !waiting) {
			// The typed text does not name the chosen bank.
			if (typed !== undefined) onChange(undefined);
			if (query === "") setTyped(undefined);
		}
		const isUnclear = bank === undefined && query !== "" && !waiting;
		props.onLeave(bank, isUnclear ? rows.length : undefined);
	}

	function blur({ currentTarget, relatedTarget }: FocusEvent): void {
		// List and button belong to the field.
		if (!currentTarget.contains(relatedTarget)) leave();
	}

	function retry(): void {
		if (isBusy) return;
		hasRetried.current = true;
		props.retry();
	}

	function revert(): void {
		setOpened(undefined);
		setTyped(undefined);
	}

	function press(event: KeyboardEvent<HTMLInputElement>): void {
		// Keys of an input method. In Safari only the key code (229) identifies the one that ends it.
		if (event.nativeEvent.isComposing || event.keyCode === 229) return;
		// Before the focus moves: screen readers read a field again if it changes after losing the focus.
		if (event.key === "Tab" && open !== undefined) close();
		const act = open === undefined ? openingBy(event) : actionOf(event);
		if (act === undefined) return;
		event.preventDefault();
		act();
	}

	function moveTo(index: number): () => void {
		return () => show({ active: index, moved: true });
	}

	/** The action of a key while the list is closed. */
	function openingBy({ key }: KeyboardEvent): (() => void) | undefined {
		const last = rowCount - 1;
		if (key === "ArrowDown") return moveTo(Math.max(chosenAt, 0));
		if (key === "ArrowUp") return moveTo(chosenAt < 0 ? last : chosenAt);
		return undefined;
	}

	/** The action of a key while the list is open. */
	function actionOf({ key }: KeyboardEvent): (() => void) | undefined {
		const last = rowCount - 1;
		switch (key) {
			case "ArrowDown":
				return moveTo(active === last ? 0 : active + 1);
			case "ArrowUp":
				return moveTo(active <= 0 ? last : active - 1);
			case "Enter":
				// While the list is open, Enter never submits the form.
				return enter;
			case "Escape":
				return revert;
			default:
				return undefined;
		}
	}

	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: only notices that the focus leaves it
		<div
			className="combobox"
			data-open={open !== undefined || undefined}
			data-failed={hasFailed || undefined}
			onBlur={blur}
		>
			<input
				{...props.links}
				ref={input}
				className="field__input combobox__input"
				type="text"
				role="combobox"
				autoComplete="off"
				autoCapitalize="off"
				autoCorrect="off"
				spellCheck={false}
				aria-autocomplete="list"
				aria-expanded={open !== undefined}
				aria-controls={open !== undefined ? listId : undefined}
				aria-activedescendant={
					active < 0 ? undefined : optionId(listId, active)
				}
				aria-required="true"
				placeholder={hasFailed ? words.banksUnavailable : words.bankPlaceholder}
				readOnly={status === "failed"}
				aria-busy={isBusy || undefined}
				value={typed ?? chosen?.label ?? ""}
				onChange={(event) => type(event.target.value)}
				onClick={() =>
					open === undefined && show({ active: chosenAt, moved: false })
				}
				onFocus={(event) => event.target.select()}
				onKeyDown={press}
			/>
			{open !== undefined && (
				<BankOptions
					listId={listId}
					ref={listbox}
					groups={
						query === ""
							? groupsOf(list)
							: [{ heading: undefined, first: 0, banks: rows }]
					}
					active={active}
					activeRow={activeRow}
					choose={choose}
					showAll={isNothing ? () => type("") : undefined}
				/>
			)}
			{hasFailed && (
				<Button
					kind="secondary"
					className="combobox__retry"
					busy={isBusy}
					onClick={retry}
				>
					{common.tryAgain}
				</Button>
			)}
			<Live className="visually-hidden">{said || count}</Live>
		</div>
	);
}

/** Groups the list by headings, if it has banks of both groups. */
function groupsOf(list: readonly ListedBank[]): BankGroup[] {
	const others = list.findIndex(({ isFirst }) => !isFirst);
	if (others <= 0) return [{ heading: undefined, first: 0, banks: list }];
	return [
		{ heading: words.banksMostUsed, first: 0, banks: list.slice(0, others) },
		{ heading: words.banksAll, first: others, banks: list.slice(others) },
	];
}

/** Scrolls the field to the top on phones, where the keyboard would cover its list. */
function makeRoom(input: HTMLInputElement | null): void {
	const block = matchMedia(WIDER_THAN_PHONES).matches ? "nearest" : "start";
	input?.closest(".field")?.scrollIntoView({ block });
}

/**
 * Debounces `text`, restarting when `about` changes. An empty text applies immediately. The settled value
 * has both, so that the effect depends on what restarts it.
 */
function useSettled(text: string, about: string): string {
	const [settled, setSettled] = useState({ text: "", about: "" });
	useEffect(() => {
		const timer = setTimeout(
			() => setSettled({ text, about }),
			SETTLED_AFTER_MS,
		);
		return () => clearTimeout(timer);
	}, [text, about]);
	return text === "" ? "" : settled.text;
}
