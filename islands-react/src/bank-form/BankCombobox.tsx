import { type KeyboardEvent, memo, type ReactNode, type Ref, useEffect, useId, useMemo, useRef, useState } from 'react';
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

/** How long the typing pauses before the count is read aloud. */
const SETTLED_AFTER_MS = 500;

/** The spec's breakpoint for phones. */
const PHONE_MAX_PX = 550;

type Props = {
  inputId: string;
  inputRef: Ref<HTMLInputElement>;
  banks: readonly BankOption[];
  /** Code of the chosen bank, or empty. */
  value: string;
  onChange: (code: string) => void;
  /** The field is left; `unclear` says how many banks the text in it means, where that is not one. */
  onLeave: (unclear: number | undefined) => void;
  /** The list is not here yet: the field can have the focus, but nothing else. */
  waiting: boolean;
  /** The list did not come: asks for it again. Stands beside the field, so that nothing below it moves. */
  retry: (() => void) | undefined;
  placeholder: string;
  invalid: boolean;
  describedBy: string | undefined;
};

/** The row that the keys have reached, or -1. */
type Open = { active: number };

export function BankCombobox(props: Props): ReactNode {
  const { banks, value, onChange } = props;
  const [open, setOpen] = useState<Open | undefined>();
  /** What was typed and means no bank yet; undefined while the text is the chosen bank's name. */
  const [typed, setTyped] = useState<string | undefined>();
  const listId = useId();
  const root = useRef<HTMLDivElement>(null);
  const prepared = useMemo(() => searchable(banks), [banks]);
  const query = typed ?? '';
  const matches = useMemo(() => searchBanks(prepared, query), [prepared, query]);
  const isExpanded = open !== undefined && matches.length > 0;
  const count = useSettled(open === undefined ? '' : words.banksCount(matches.length), query);
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
    setTyped(undefined);
    onChange(bank.code);
  }

  function type(text: string): void {
    const isEmpty = text.trim() === '';
    if (isEmpty && value !== '') onChange('');
    setTyped(text);
    show({ active: isEmpty ? -1 : 0 });
  }

  /** The bank that the text means, if it means one only. */
  function meant(): BankOption | undefined {
    if (fold(query) === '') return undefined;
    const exact = matches.find((bank) => fold(bank.name) === fold(query));
    return exact ?? (matches.length === 1 ? matches[0] : undefined);
  }

  /** Leaving the field takes the bank that was meant; any other text stays, and no bank is chosen. */
  function leave(): void {
    const bank = meant();
    const isUnclear = bank === undefined && fold(query) !== '';
    if (bank === undefined) close();
    else choose(bank);
    if (!isUnclear) setTyped(undefined);
    props.onLeave(isUnclear ? matches.length : undefined);
  }

  /** The list goes. What the field shows may no longer be the bank that was chosen. */
  function close(): void {
    setOpen(undefined);
    if (typed !== undefined && value !== '') onChange('');
  }

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    const at = open?.active ?? (typed === undefined ? chosenAt : -1);
    const list = { open: open !== undefined, active: at, count: matches.length, typed: query !== '' };
    const step = keyStep(event, list);
    if (step.do === 'nothing') return;
    if (step.do !== 'take') event.preventDefault();
    switch (step.do) {
      case 'activate':
        show({ active: step.index });
        break;
      case 'choose':
      case 'take':
        if (active !== undefined) choose(active);
        break;
      case 'close':
        close();
        break;
      case 'revert':
        setOpen(undefined);
        setTyped(undefined);
        break;
    }
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
        aria-expanded={isExpanded}
        aria-controls={listId}
        aria-activedescendant={active === undefined || open === undefined ? undefined : optionId(open.active)}
        aria-invalid={props.invalid || undefined}
        aria-required="true"
        aria-describedby={props.describedBy}
        data-invalid={props.invalid || undefined}
        placeholder={props.placeholder}
        readOnly={props.waiting}
        aria-busy={props.waiting || undefined}
        value={typed ?? chosen?.name ?? ''}
        onChange={(event) => type(event.target.value)}
        onClick={() => open === undefined && show({ active: typed === undefined ? chosenAt : -1 })}
        onFocus={(event) => event.target.select()}
        onBlur={leave}
        onKeyDown={press}
      />
      {open !== undefined && (
        // A press on the list must not take the focus from the input: that would close the list before the click.
        // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus, does nothing by itself
        <div className="combobox__list" onMouseDown={(event) => event.preventDefault()}>
          {isExpanded ? (
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
          ) : (
            <p className="combobox__empty">{words.banksNone}</p>
          )}
        </div>
      )}
      {props.retry !== undefined && (
        <button type="button" className="button button--secondary combobox__retry" onClick={props.retry}>
          {common.tryAgain}
        </button>
      )}
      <p className="visually-hidden" role="status">
        {count}
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

/** A text once what it is about has stood still for a while; no text is told at once. */
function useSettled(text: string, about: string): string {
  const [settled, setSettled] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of what it is about begins the wait anew
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, about]);
  return text === '' ? '' : settled;
}

/** On a phone the keyboard takes the lower half: the field goes to the top, so that its list stays above the keys. */
function makeRoom(root: HTMLElement | null): void {
  const block = window.innerWidth <= PHONE_MAX_PX ? 'start' : 'nearest';
  (root?.closest('.field') ?? root)?.scrollIntoView({ block });
}

function keepInView(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.scrollIntoView({ block: 'nearest' }));
}
