import {
	type FocusEvent,
	type KeyboardEvent,
	type ReactNode,
	useEffect,
	useLayoutEffect,
	useRef,
	useState,
} from "react";
import { common, bankForm as words } from "../messages";
import { Button } from "../ui/Button";
import { Live } from "../ui/Live";
import { BankOptions } from "./BankOptions";
import type { FieldLinks } from "./Field";
import { type BankPickerState, SHOW_ALL } from "./use-bank-picker";
import { isLoading } from "./use-banks";

/** The number of matches is announced after this pause in typing. */
const SETTLED_AFTER_MS = 500;

/** Keys that move the caret: the highlighted row is left for the text. */
const CARET_KEYS = ["ArrowLeft", "ArrowRight", "Home", "End"];

type Props = {
	picker: BankPickerState;
	links: FieldLinks;
	/** What it shows is being sent. */
	isLocked: boolean;
};

/**
 * A combobox as the ARIA APG's "editable combobox with list autocomplete". Text typed while the list loads
 * is searched for once the list is there.
 */
export function BankPicker({ picker, links, isLocked }: Props): ReactNode {
	const { banks, combobox, bank, rows, query, isShown } = picker;
	const { status } = banks;
	const { isOpen, highlightedIndex } = combobox;
	const hasFailed = status === "failed" || status === "retrying";
	const isBusy = isLoading(banks);
	const field = useRef<HTMLDivElement>(null);
	const listbox = useRef<HTMLDivElement>(null);
	const found = rows[0] === SHOW_ALL ? 0 : rows.length;
	const count = useSettled(isShown ? words.banksCount(found) : "", query);

	// Before downshift scrolls to the highlighted row.
	useLayoutEffect(() => {
		if (isShown) makeRoom(field.current);
	}, [isShown]);

	function type(text: string): void {
		picker.search(text);
		// The first row of another search is the best match.
		if (listbox.current) listbox.current.scrollTop = 0;
	}

	function blur({ currentTarget, target, relatedTarget }: FocusEvent): void {
		// List and button belong to the field.
		if (currentTarget.contains(relatedTarget)) return;
		// The window has lost the focus, and not the field.
		if (document.activeElement === target) return;
		// A phone's keyboard was dismissed, or a press outside begins, which downshift notices.
		if (relatedTarget === null && isShown) return;
		picker.leave();
	}

	function retry(button: HTMLElement): void {
		// Safari does not focus a pressed button. The field takes its focus once the list has loaded.
		button.focus();
		picker.retry();
	}

	function press(event: KeyboardEvent<HTMLInputElement>): void {
		const { key, repeat } = event;
		// In Safari only the key code (229) identifies the key that ends a composition.
		const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
		const isHeld = key === "Enter" && repeat;
		// Enter that confirms a composition, or is held after a choice, does not submit the form.
		if (isHeld || (isComposing && key === "Enter")) event.preventDefault();
		const movesCaret = CARET_KEYS.includes(key);
		const isEarly = status !== "ready" && !key.startsWith("Arrow");
		if (isComposing || isHeld || movesCaret || isEarly)
			Object.assign(event.nativeEvent, { preventDownshiftDefault: true });
		if (isComposing || !isOpen) return;
		if (movesCaret) combobox.setHighlightedIndex(-1);
		// Before the focus moves: screen readers read a field again if it changes after losing the focus.
		if (key === "Tab") combobox.closeMenu();
	}

	const input = combobox.getInputProps({
		...links,
		ref: picker.input,
		onKeyDown: press,
		onChange: (event) => type(event.currentTarget.value),
		"aria-labelledby": undefined,
		"aria-expanded": isShown,
	});
	const menu = combobox.getMenuProps(
		{ "aria-label": words.banksList },
		{ suppressRefError: true },
	);
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: only notices that the focus leaves it
		<div
			ref={field}
			className="combobox"
			data-open={isShown || undefined}
			data-failed={hasFailed || undefined}
			onBlur={blur}
		>
			<input
				{...input}
				className="field__input combobox__input"
				type="text"
				autoCapitalize="off"
				autoCorrect="off"
				spellCheck={false}
				aria-controls={isShown ? menu.id : undefined}
				aria-activedescendant={
					isShown && highlightedIndex >= 0
						? input["aria-activedescendant"]
						: undefined
				}
				aria-required="true"
				placeholder={hasFailed ? words.banksUnavailable : words.bankPlaceholder}
				readOnly={status === "failed" || isLocked}
				aria-disabled={isLocked || undefined}
				aria-busy={isBusy || undefined}
				// Typed text stays as it is when the window gets the focus again.
				onFocus={(event) => bank && event.target.select()}
				// The blur of the whole field counts.
				onBlur={undefined}
			/>
			{isShown && (
				<BankOptions
					menu={menu}
					ref={listbox}
					rows={rows}
					isGrouped={query === ""}
					getItemProps={combobox.getItemProps}
				/>
			)}
			{/* Next to the input, so that nothing below moves. */}
			{hasFailed && (
				<Button
					kind="secondary"
					className="combobox__retry"
					busy={isBusy}
					onClick={(event) => retry(event.currentTarget)}
				>
					{common.tryAgain}
				</Button>
			)}
			<Live className="visually-hidden">{isShown ? count : picker.said}</Live>
		</div>
	);
}

/** Scrolls the field to where the style sheet says (`combobox.css`). */
function makeRoom(combobox: HTMLElement | null): void {
	const style = getComputedStyle(document.documentElement);
	const place = style.getPropertyValue("--combobox-scroll").trim();
	const block = place === "nearest" ? "nearest" : "start";
	combobox?.closest(".field")?.scrollIntoView({ block });
}

/** Debounces `text`, restarting when `about` changes. An empty text applies immediately. */
function useSettled(text: string, about: string): string {
	const [settled, setSettled] = useState("");
	// biome-ignore lint/correctness/useExhaustiveDependencies: `about` restarts the pause
	useEffect(() => {
		const timer = setTimeout(
			() => setSettled(text),
			text === "" ? 0 : SETTLED_AFTER_MS,
		);
		return () => clearTimeout(timer);
	}, [text, about]);
	return text === "" ? "" : settled;
}
