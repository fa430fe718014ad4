import { type ComponentProps, memo, type ReactNode } from 'react';
import { bankForm as words } from '../messages';
import type { ListedBank } from './bank-list';
import { monogramOf } from './bank-words';

export type BankGroup = { heading: string | undefined; banks: readonly ListedBank[] };

type Props = {
  listId: string;
  groups: readonly BankGroup[];
  /** Index of the highlighted row over all groups, or -1. */
  active: number;
  choose: (bank: ListedBank) => void;
  /** If nothing was found: shows the whole list. Its row is the only one. */
  showAll: (() => void) | undefined;
};

/** The id of a row, for `aria-activedescendant`. Rows count over all groups. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** The open list. The input keeps the focus and the keys. */
export function BankOptions({ listId, groups, active, choose, showAll }: Props): ReactNode {
  const isEmpty = groups.every(({ banks }) => banks.length === 0);
  let index = -1;
  const row = (bank: ListedBank): ReactNode => {
    index += 1;
    const id = optionId(listId, index);
    return <Bank key={bank.key} id={id} bank={bank} active={index === active} choose={choose} />;
  };
  return (
    // A press on the list must not take the focus from the input: that would close the list before the click.
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus, does nothing by itself
    <div className="combobox__list" onMouseDown={(event) => event.preventDefault()}>
      {isEmpty && <p className="combobox__empty">{words.banksNone}</p>}
      {(!isEmpty || showAll !== undefined) && (
        <div id={listId} role="listbox" aria-label={words.banksList}>
          {groups.map(({ heading, banks }, at) =>
            heading === undefined ? (
              banks.map(row)
            ) : (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of options
              <div key={heading} role="group" aria-labelledby={`${listId}-group-${at}`}>
                <p id={`${listId}-group-${at}`} className="combobox__heading" role="presentation">
                  {heading}
                </p>
                {banks.map(row)}
              </div>
            ),
          )}
          {showAll !== undefined && (
            <Option
              id={optionId(listId, 0)}
              className="combobox__option combobox__option--all"
              active={active === 0}
              onClick={showAll}
            >
              {words.banksShowAll}
            </Option>
          )}
        </div>
      )}
    </div>
  );
}

function Option({ active, ...rest }: ComponentProps<'div'> & { active: boolean }): ReactNode {
  // biome-ignore lint/a11y/useFocusableInteractive: the input has the focus and the keys (aria-activedescendant)
  return <div role="option" aria-selected={active} {...rest} />;
}

type BankProps = Pick<Props, 'choose'> & { id: string; bank: ListedBank; active: boolean };

function BankRow({ bank, choose, ...rest }: BankProps): ReactNode {
  return (
    <Option className="combobox__option" onClick={() => choose(bank)} {...rest}>
      <div className="combobox__monogram" aria-hidden="true">
        {monogramOf(bank.label)}
      </div>
      <div className="combobox__names">
        <div className="combobox__label">{bank.label}</div>
        {bank.fullName !== undefined && <div className="combobox__full-name">{bank.fullName}</div>}
      </div>
      <div className="combobox__code">{bank.code}</div>
    </Option>
  );
}

/** Moving the highlight re-renders two rows, not 250. An old `choose` stays valid, so it is not compared. */
const Bank = memo(BankRow, (a, b) => a.bank === b.bank && a.id === b.id && a.active === b.active);
