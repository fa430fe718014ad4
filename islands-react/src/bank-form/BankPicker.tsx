import {
	type FocusEvent,
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
import type { BankPickerState } from "./use-bank-picker";
import { isLoading } from "./use-banks";

/** The number of matches is announced after this pause in typing. */
const SETTLED_AFTER_MS = 500;

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
	const { banks, combobox, rows, query, found, isShown } = picker;
	const { status } = banks;
	const hasFailed = status === "failed" || status === "retrying";
	const isBusy = isLoading(banks);
	const field = useRef<HTMLDivElement>(null);
	const matches = query === "" ? rows.length : found;
	const count = useSettled(isShown ? words.banksCount(matches) : "", query);

	// Before downshift scrolls to the highlighted row.
	useLayoutEffect(() => {
		if (isShown) makeRoom(field.current);
	}, [isShown]);

	function retry(button: HTMLElement): void {
		// Safari does not focus a pressed button. The field takes its focus once the list has loaded.
		button.focus();
		picker.retry();
	}

	/** A phone's keyboard was dismissed, or a press outside begins, which downshift notices. */
	function blur({ relatedTarget, nativeEvent }: FocusEvent): void {
		if (relatedTarget === null)
			Object.assign(nativeEvent, { preventDownshiftDefault: true });
	}

	const input = combobox.getInputProps({
		...links,
		ref: picker.input,
		"aria-labelledby": undefined,
		"aria-expanded": isShown,
		onBlur: blur,
	});
	const menu = combobox.getMenuProps(
		{ "aria-label": words.banksList },
		{ suppressRefError: true },
	);
	return (
		<div
			ref={field}
			className="combobox"
			data-open={isShown || undefined}
			data-failed={hasFailed || undefined}
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
					(isShown && input["aria-activedescendant"]) || undefined
				}
				aria-required="true"
				placeholder={hasFailed ? words.banksUnavailable : words.bankPlaceholder}
				readOnly={status === "failed" || isLocked}
				aria-disabled={isLocked || undefined}
				aria-busy={isBusy || undefined}
				// Typed text stays as it is when the window gets the focus again.
				onFocus={(event) => query === "" && event.target.select()}
			/>
			{isShown && <BankOptions picker={picker} menu={menu} />}
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
