import type { ComponentProps, ReactNode } from 'react';
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
  let index = -1;
  const row = (bank: ListedBank): ReactNode => {
    index += 1;
    return (
      <Option key={bank.key} id={optionId(listId, index)} active={index === active} onClick={() => choose(bank)}>
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
  };
  return (
    // A press on the list must not take the focus from the input: that would close the list before the click.
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus, does nothing by itself
    <div className="combobox__list" onMouseDown={(event) => event.preventDefault()}>
      {showAll !== undefined && <p className="combobox__empty">{words.banksNone}</p>}
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
    </div>
  );
}

function Option({ active, ...rest }: ComponentProps<'div'> & { active: boolean }): ReactNode {
  // biome-ignore lint/a11y/useFocusableInteractive: the input has the focus and the keys (aria-activedescendant)
  return <div role="option" className="combobox__option" aria-selected={active} {...rest} />;
}
