import { type ReactNode, useLayoutEffect, useRef } from "react";
import { bankForm as words } from "../messages";
import type { ListedBank } from "./bank-list";
import type { BankPickerState } from "./use-bank-picker";

/** Rows under one heading. `first` is the index of its first row, counted over all groups. */
type Group = {
	heading: string | undefined;
	first: number;
	rows: readonly ListedBank[];
};

type Props = {
	picker: BankPickerState;
	menu: ReturnType<BankPickerState["combobox"]["getMenuProps"]>;
};

/** The open list. Focus and keyboard stay with the input. */
export function BankOptions({
	picker: { combobox, rows, query, found },
	menu: { ref: box, ...menu },
}: Props): ReactNode {
	const list = useRef<HTMLDivElement>(null);

	// The first row of another search is the best match.
	// biome-ignore lint/correctness/useExhaustiveDependencies: the rows are of the query
	useLayoutEffect(() => {
		if (list.current) list.current.scrollTop = 0;
	}, [query]);

	const optionsOf = (group: Group): ReactNode =>
		group.rows.map((bank, at) => (
			<div
				key={bank.key}
				{...combobox.getItemProps({ item: bank, index: group.first + at })}
				// Downshift would highlight the row under the pointer, and leaving the field would choose it.
				onMouseMove={undefined}
				className="combobox__option"
			>
				<Bank bank={bank} />
			</div>
		));
	return (
		// A press on the list must not take the focus from the input.
		// biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus, does nothing by itself
		<div
			ref={box}
			className="combobox__list"
			onMouseDown={(event) => event.preventDefault()}
		>
			{query !== "" && found === 0 && (
				<p className="combobox__empty">{words.banksNone}</p>
			)}
			{/* Without a tabIndex, the Tab key stops at a scrollable list. */}
			<div {...menu} ref={list} tabIndex={-1} onMouseLeave={undefined}>
				{groupsOf(rows, query === "").map((group) =>
					group.heading === undefined ? (
						optionsOf(group)
					) : (
						// biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of options
						<div
							key={group.heading}
							role="group"
							aria-labelledby={`${menu.id}-group-${group.first}`}
						>
							<p
								id={`${menu.id}-group-${group.first}`}
								className="combobox__heading"
								role="presentation"
							>
								{group.heading}
							</p>
							{optionsOf(group)}
						</div>
					),
				)}
			</div>
		</div>
	);
}

/** A bank's names and code, which are also what screen readers say. */
function Bank({
	bank: { label, fullName, code },
}: {
	bank: ListedBank;
}): ReactNode {
	return (
		<>
			<div className="combobox__names" translate="no">
				<div className="combobox__label">{label}</div>
				{fullName !== undefined && (
					<div className="combobox__full-name">{fullName}</div>
				)}
			</div>
			<div className="combobox__code">
				<div className="visually-hidden">{words.bankCode}</div>
				<div>{code}</div>
			</div>
		</>
	);
}

/** Groups the whole list by headings, if it has banks of both groups. */
function groupsOf(rows: readonly ListedBank[], isWhole: boolean): Group[] {
	const others = rows.findIndex((bank) => !bank.isFirst);
	if (!isWhole || others <= 0) return [{ heading: undefined, first: 0, rows }];
	return [
		{ heading: words.banksMostUsed, first: 0, rows: rows.slice(0, others) },
		{ heading: words.banksAll, first: others, rows: rows.slice(others) },
	];
}
