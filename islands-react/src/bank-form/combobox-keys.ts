/** What a key means to the combobox (ARIA APG, editable combobox with list autocomplete). */

type KeyStep =
  | { do: 'nothing' }
  /** Opens the list where needed, and moves. */
  | { do: 'activate'; index: number }
  | { do: 'choose' }
  /** Chooses, and the focus goes on all the same. */
  | { do: 'take' }
  /** The list goes, the text stays. */
  | { do: 'close' }
  /** The list goes, and with it what was typed. */
  | { do: 'revert' };

/** Rows that Page Up and Page Down pass. */
const PAGE_ROWS = 10;

type Pressed = { key: string; altKey: boolean };

type List = { open: boolean; active: number; count: number; typed: boolean };

/**
 * `active` is the active row, or -1 for none; a closed list is opened by `activate`, at the chosen row if any. `typed`:
 * the text is what the person typed, and no bank's name.
 */
export function keyStep({ key, altKey }: Pressed, { open, active, count, typed }: List): KeyStep {
  const last = count - 1;
  const at = (index: number): KeyStep => ({
    do: 'activate',
    index: Math.max(Math.min(index, last), Math.min(0, last)),
  });
  switch (key) {
    case 'ArrowDown':
      if (altKey) return open ? { do: 'nothing' } : { do: 'activate', index: active };
      if (!open) return at(active);
      return at(active === last ? 0 : active + 1);
    case 'ArrowUp':
      if (open && altKey) return { do: 'close' };
      if (!open) return at(active < 0 ? last : active);
      return at(active <= 0 ? last : active - 1);
    case 'PageDown':
      return open ? at(active + PAGE_ROWS) : { do: 'nothing' };
    case 'PageUp':
      return open ? at(active - PAGE_ROWS) : { do: 'nothing' };
    case 'Enter':
      // With the list open, Enter chooses; it never sends the form.
      return open ? { do: 'choose' } : { do: 'nothing' };
    case 'Tab':
      return open && typed && active >= 0 ? { do: 'take' } : { do: 'nothing' };
    case 'Escape':
      return open ? { do: 'revert' } : { do: 'nothing' };
    default:
      return { do: 'nothing' };
  }
}
