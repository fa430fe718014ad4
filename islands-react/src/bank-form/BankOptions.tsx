import type { ComponentProps, ReactNode, Ref } from "react";
import { bankForm as words } from "../messages";
import type { ListedBank } from "./bank-list";
import { fold, hasWords, monogramOf } from "./bank-words";

/** Banks under one heading. `first` is the index of its first row, counted over all groups. */
export type BankGroup = {
	heading: string | undefined;
	first: number;
	banks: readonly ListedBank[];
};

type Props = {
	listId: string;
	/** The listbox, which scrolls. */
	ref: Ref<HTMLDivElement>;
	groups: readonly BankGroup[];
	/** Set to the highlighted row, if there is one. */
	activeRow: Ref<HTMLDivElement>;
	/** Index of the highlighted row over all groups, or -1. */
	active: number;
	choose: (bank: ListedBank) => void;
	/** Shows the whole list. Set if nothing was found; its row is then the only one. */
	showAll: (() => void) | undefined;
};

/** The id of a row, for `aria-activedescendant`. */
export function optionId(listId: string, index: number): string {
	return `${listId}-${index}`;
}

/** The open list. Focus and keyboard stay with the input. */
export function BankOptions({
	listId,
	ref,
	groups,
	active,
	activeRow,
	choose,
	showAll,
}: Props): ReactNode {
	const rowAt = (index: number) => ({
		id: optionId(listId, index),
		"aria-selected": index === active,
		ref: index === active ? activeRow : undefined,
	});
	const rowsOf = ({ banks, first }: BankGroup): ReactNode =>
		banks.map((bank, at) => (
			<Option
				key={bank.key}
				{...rowAt(first + at)}
				aria-label={spokenName(bank)}
				onClick={() => choose(bank)}
			>
				<div className="combobox__monogram" aria-hidden="true">
					{monogramOf(bank.label)}
				</div>
				<div className="combobox__names">
					<div className="combobox__label">{bank.label}</div>
					{bank.fullName !== undefined && (
						<div className="combobox__full-name">{bank.fullName}</div>
					)}
				</div>
				<div className="combobox__code">{bank.code}</div>
			</Option>
		));
	return (
		// A press on the list must not take the focus from the input, which would close the list before the
		// click.
		// biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus, does nothing by itself
		<div
			className="combobox__list"
			onMouseDown={(event) => event.preventDefault()}
		>
			{showAll !== undefined && (
				<p className="combobox__empty">{words.banksNone}</p>
			)}
			{/* Without a tabIndex, the Tab key stops at a scrollable list. */}
			<div
				ref={ref}
				id={listId}
				role="listbox"
				aria-label={words.banksList}
				tabIndex={-1}
			>
				{groups.map((group, at) =>
					group.heading === undefined ? (
						rowsOf(group)
					) : (
						// biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of options
						<div
							key={group.heading}
							role="group"
							aria-labelledby={`${listId}-group-${at}`}
						>
							<p
								id={`${listId}-group-${at}`}
								className="combobox__heading"
								role="presentation"
							>
								{group.heading}
							</p>
							{rowsOf(group)}
						</div>
					),
				)}
				{showAll !== undefined && (
					<Option
						{...rowAt(0)}
						className="combobox__option combobox__option--all"
						onClick={showAll}
					>
						{words.banksShowAll}
					</Option>
				)}
			</div>
		</div>
	);
}

/** "Itaú, código 341". Includes the full name if it does not contain the label. */
function spokenName({ label, fullName, code }: ListedBank): string {
	const parts = [label];
	if (fullName !== undefined && !hasWords(fold(fullName), fold(label)))
		parts.push(fullName);
	if (code !== "") parts.push(words.bankCode(code));
	return parts.join(", ");
}

function Option(props: ComponentProps<"div">): ReactNode {
	// biome-ignore lint/a11y/useFocusableInteractive: the input has the focus and the keys (aria-activedescendant)
	return <div role="option" className="combobox__option" {...props} />;
}
