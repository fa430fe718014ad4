import type { UseComboboxReturnValue } from "downshift";
import type { ComponentProps, ReactNode, Ref } from "react";
import { bankForm as words } from "../messages";
import type { ListedBank } from "./bank-list";
import { type Row, SHOW_ALL } from "./use-bank-picker";

/** Rows under one heading. `first` is the index of its first row, counted over all groups. */
type Group = {
	heading: string | undefined;
	first: number;
	rows: readonly Row[];
};

type Combobox = UseComboboxReturnValue<Row>;

type Props = {
	menu: ReturnType<Combobox["getMenuProps"]>;
	/** The listbox, which scrolls. */
	ref: Ref<HTMLDivElement>;
	rows: readonly Row[];
	/** Whether the most used banks and the others have headings. */
	isGrouped: boolean;
	getItemProps: Combobox["getItemProps"];
};

/** The open list. Focus and keyboard stay with the input. */
export function BankOptions({
	menu: { ref: box, ...menu },
	ref,
	rows,
	isGrouped,
	getItemProps,
}: Props): ReactNode {
	const groups = isGrouped
		? groupsOf(rows)
		: [{ heading: undefined, first: 0, rows }];
	const optionsOf = (group: Group): ReactNode =>
		group.rows.map((row, at) => {
			const item = getItemProps({ item: row, index: group.first + at });
			// Downshift would highlight the row under the pointer, and leaving the field would choose it.
			const props = { ...item, onMouseMove: undefined };
			return row === SHOW_ALL ? (
				<Option
					key={row}
					{...props}
					className="combobox__option combobox__option--all"
				>
					{words.banksShowAll}
				</Option>
			) : (
				<Option key={row.key} {...props}>
					<Bank bank={row} />
				</Option>
			);
		});
	return (
		// A press on the list must not take the focus from the input.
		// biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus, does nothing by itself
		<div
			ref={box}
			className="combobox__list"
			onMouseDown={(event) => event.preventDefault()}
		>
			{rows[0] === SHOW_ALL && (
				<p className="combobox__empty">{words.banksNone}</p>
			)}
			{/* Without a tabIndex, the Tab key stops at a scrollable list. */}
			<div {...menu} ref={ref} tabIndex={-1} onMouseLeave={undefined}>
				{groups.map((group) =>
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

/** Groups the list by headings, if it has banks of both groups. */
function groupsOf(rows: readonly Row[]): Group[] {
	const others = rows.findIndex((row) => row !== SHOW_ALL && !row.isFirst);
	if (others <= 0) return [{ heading: undefined, first: 0, rows }];
	return [
		{ heading: words.banksMostUsed, first: 0, rows: rows.slice(0, others) },
		{ heading: words.banksAll, first: others, rows: rows.slice(others) },
	];
}

function Option(props: ComponentProps<"div">): ReactNode {
	// biome-ignore lint/a11y/useFocusableInteractive: the input has the focus and the keys (aria-activedescendant)
	return <div role="option" className="combobox__option" {...props} />;
}
