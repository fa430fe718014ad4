import { type KeyboardEvent, memo, type ReactNode, type Ref, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { BankOption } from '../generated/BankOption';
import { common, bankForm as words } from '../messages';
import { fold, searchable, searchBanks } from './bank-search';
import { keyAction } from './combobox-keys';
import { monogramOf } from './monogram';

/*
 * Own combobox instead of downshift's useCombobox: downshift costs 13.7 kB gzip (more than the rest of this form),
 * and this form needs none of its extras (multi-select, state reducers). Behaviour follows the ARIA APG "editable
 * combobox with list autocomplete": the focus stays in the input, aria-activedescendant names the active option.
 */

/** The pause in typing after which the number of matches is announced. */
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
  /** Called on blur; `unclear` is the number of matches if the text does not identify one bank. */
  onLeave: (unclear: number | undefined) => void;
  /** The list has not loaded: the input is focusable, but read-only. */
  waiting: boolean;
  /** Loads the list again after a failure. Its button is beside the input, so that nothing below it moves. */
  retry: (() => void) | undefined;
  placeholder: string;
  invalid: boolean;
  describedBy: string | undefined;
};

/** `active` is the index of the highlighted row, or -1. */
type Open = { active: number };

export function BankCombobox(props: Props): ReactNode {
  const { banks, value, onChange } = props;
  const [open, setOpen] = useState<Open | undefined>();
  /** Typed text that has not become a choice; undefined while the input shows the chosen bank's name. */
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

  /** The bank that the text identifies: by its exact name, or as the only match. */
  function meant(): BankOption | undefined {
    if (fold(query) === '') return undefined;
    const exact = matches.find((bank) => fold(bank.name) === fold(query));
    return exact ?? (matches.length === 1 ? matches[0] : undefined);
  }

  /** On blur, chooses the bank that the text identifies; any other text stays, and no bank is chosen. */
  function leave(): void {
    const bank = meant();
    const isUnclear = bank === undefined && fold(query) !== '';
    if (bank === undefined) close();
    else choose(bank);
    if (!isUnclear) setTyped(undefined);
    props.onLeave(isUnclear ? matches.length : undefined);
  }

  /** Closes the list. Typed text may no longer name the chosen bank, so it clears the choice. */
  function close(): void {
    setOpen(undefined);
    if (typed !== undefined && value !== '') onChange('');
  }

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    const at = open?.active ?? (typed === undefined ? chosenAt : -1);
    const list = { open: open !== undefined, active: at, count: matches.length, typed: query !== '' };
    const action = keyAction(event, list);
    if (action.type === 'none') return;
    if (action.type !== 'commit') event.preventDefault();
    switch (action.type) {
      case 'activate':
        show({ active: action.index });
        break;
      case 'choose':
      case 'commit':
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

/** Moving the highlight re-renders two rows, not 250. An old `choose` stays valid, so it is not compared. */
const Option = memo(
  OptionRow,
  (a, b) => a.bank === b.bank && a.id === b.id && a.active === b.active && a.selected === b.selected,
);

/** Debounces `text` by `SETTLED_AFTER_MS`, restarting when `about` changes; an empty text applies at once. */
function useSettled(text: string, about: string): string {
  const [settled, setSettled] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of `about` restarts the timer
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, about]);
  return text === '' ? '' : settled;
}

/** On a phone the keyboard covers the lower half: scrolls the field to the top, so that its list stays visible. */
function makeRoom(root: HTMLElement | null): void {
  const block = window.innerWidth <= PHONE_MAX_PX ? 'start' : 'nearest';
  (root?.closest('.field') ?? root)?.scrollIntoView({ block });
}

function keepInView(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.scrollIntoView({ block: 'nearest' }));
}
