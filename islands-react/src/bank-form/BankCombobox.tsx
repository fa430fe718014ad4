import { type KeyboardEvent, memo, type ReactNode, type Ref, useId, useMemo, useRef, useState } from 'react';
import type { BankOption } from '../generated/BankOption';
import { common, bankForm as words } from '../messages';
import { fold, searchable, searchBanks } from './bank-search';
import { keyStep } from './combobox-keys';
import { monogramOf } from './monogram';

/*
 * Own combobox instead of downshift's useCombobox: downshift costs 13.7 kB gzip (more than all the rest of this
 * form), and what it brings beyond the ARIA pattern, multi-select and state reducers, has no use here. Behaviour
 * follows the ARIA APG "editable combobox with list autocomplete": the focus stays in the input, the active option
 * is named by aria-activedescendant.
 */

/** The spec's breakpoint for phones. */
const PHONE_MAX_PX = 550;

type Props = {
  inputId: string;
  inputRef: Ref<HTMLInputElement>;
  banks: readonly BankOption[];
  /** Code of the chosen bank, or empty. */
  value: string;
  onChange: (code: string) => void;
  onBlur: () => void;
  /** The list is not here yet: the field can have the focus, but nothing else. */
  waiting: boolean;
  /** The list did not come: asks for it again. Stands beside the field, so that nothing below it moves. */
  retry: (() => void) | undefined;
  placeholder: string;
  invalid: boolean;
  describedBy: string | undefined;
};

/** `query` is what was typed since the list opened; undefined while the text is still the chosen bank's name. */
type Open = { query: string | undefined; active: number };

export function BankCombobox(props: Props): ReactNode {
  const { banks, value, onChange } = props;
  const [open, setOpen] = useState<Open | undefined>();
  const listId = useId();
  const root = useRef<HTMLDivElement>(null);
  const prepared = useMemo(() => searchable(banks), [banks]);
  const query = open?.query ?? '';
  const matches = useMemo(() => searchBanks(prepared, query), [prepared, query]);
  const chosenAt = banks.findIndex((bank) => bank.code === value);
  const chosen = banks[chosenAt];
  const active = open === undefined ? undefined : matches[open.active];
  const optionId = (index: number): string => `${listId}-${index}`;

  function show(next: Open): void {
    if (props.waiting) return;
    if (open === undefined) makeRoom(root.current);
    setOpen(next);
    keepInView(optionId(next.active));
  }

  function choose(bank: BankOption): void {
    setOpen(undefined);
    onChange(bank.code);
  }

  function type(text: string): void {
    if (text.trim() === '' && value !== '') onChange('');
    show({ query: text, active: text.trim() === '' ? -1 : 0 });
  }

  /** Leaving the field takes what was typed if it means one bank only; else the choice stays as it was. */
  function leave(): void {
    if (open?.query !== undefined && fold(open.query) !== '') {
      const meant = searchBanks(prepared, open.query);
      const exact = meant.find((bank) => fold(bank.name) === fold(open.query ?? ''));
      const only = exact ?? (meant.length === 1 ? meant[0] : undefined);
      if (only !== undefined) onChange(only.code);
    }
    setOpen(undefined);
    props.onBlur();
  }

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    const step = keyStep(event, { open: open !== undefined, active: open?.active ?? chosenAt, count: matches.length });
    if (step.do === 'nothing') return;
    event.preventDefault();
    if (step.do === 'activate') show({ query: open?.query, active: step.index });
    else if (step.do === 'close') setOpen(undefined);
    else if (active !== undefined) choose(active);
  }

  return (
    <div className="combobox" ref={root} data-open={open !== undefined || undefined}>
      <input
        ref={props.inputRef}
        id={props.inputId}
        className="field__input combobox__input"
        type="text"
        role="combobox"
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        aria-autocomplete="list"
        aria-expanded={open !== undefined}
        aria-controls={listId}
        aria-activedescendant={active === undefined || open === undefined ? undefined : optionId(open.active)}
        aria-invalid={props.invalid || undefined}
        aria-required="true"
        aria-describedby={props.describedBy}
        data-invalid={props.invalid || undefined}
        placeholder={props.placeholder}
        readOnly={props.waiting}
        aria-busy={props.waiting || undefined}
        value={open?.query ?? chosen?.name ?? ''}
        onChange={(event) => type(event.target.value)}
        onClick={() => open === undefined && show({ query: undefined, active: chosenAt })}
        onFocus={(event) => event.target.select()}
        onBlur={leave}
        onKeyDown={press}
      />
      {open !== undefined && (
        // A press on the list must not take the focus from the input: that would close the list before the click.
        // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus, does nothing by itself
        <div className="combobox__list" onMouseDown={(event) => event.preventDefault()}>
          {matches.length === 0 && <p className="combobox__empty">{words.banksNone}</p>}
          <div id={listId} role="listbox" aria-label={words.banksList}>
            {matches.map((bank, index) => (
              <Option
                key={`${bank.code} ${bank.name}`}
                id={optionId(index)}
                bank={bank}
                active={index === open.active}
                selected={bank.code === value}
                choose={choose}
              />
            ))}
          </div>
        </div>
      )}
      {props.retry !== undefined && (
        <button type="button" className="button button--secondary combobox__retry" onClick={props.retry}>
          {common.tryAgain}
        </button>
      )}
      <p className="visually-hidden" role="status">
        {open === undefined ? '' : words.banksCount(matches.length)}
      </p>
    </div>
  );
}

type OptionProps = {
  id: string;
  bank: BankOption;
  active: boolean;
  selected: boolean;
  choose: (bank: BankOption) => void;
};

function OptionRow({ id, bank, active, selected, choose }: OptionProps): ReactNode {
  const monogram = monogramOf(bank);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and the keys (aria-activedescendant)
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div
      id={id}
      role="option"
      className="combobox__option"
      aria-selected={selected}
      data-active={active || undefined}
      onClick={() => choose(bank)}
    >
      <span className="combobox__monogram" data-hue={monogram.hue} aria-hidden="true">
        {monogram.letters}
      </span>
      <span className="combobox__name">{bank.name}</span>
      <span className="combobox__code">{bank.code}</span>
    </div>
  );
}

/** Moving the active row redraws two rows, not 250; `choose` differs only in closures that stay valid. */
const Option = memo(
  OptionRow,
  (a, b) => a.bank === b.bank && a.id === b.id && a.active === b.active && a.selected === b.selected,
);

/** On a phone the keyboard takes the lower half: the field goes to the top, so that its list stays above the keys. */
function makeRoom(root: HTMLElement | null): void {
  const block = window.innerWidth <= PHONE_MAX_PX ? 'start' : 'nearest';
  (root?.closest('.field') ?? root)?.scrollIntoView({ block });
}

function keepInView(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.scrollIntoView({ block: 'nearest' }));
}
