/** Maps keys to steps of the combobox (ARIA APG, editable combobox with list autocomplete). */

type KeyStep =
  | { do: 'nothing' }
  /** Opens the list if it is closed, and highlights a row. */
  | { do: 'activate'; index: number }
  | { do: 'choose' }
  /** Chooses, and lets the key move the focus. */
  | { do: 'take' }
  /** Closes the list, keeps the text. */
  | { do: 'close' }
  /** Closes the list, discards the typed text. */
  | { do: 'revert' };

/** Rows per Page Up or Page Down. */
const PAGE_ROWS = 10;

type Pressed = { key: string; altKey: boolean };

type List = { open: boolean; active: number; count: number; typed: boolean };

/**
 * `active`: the highlighted row of an open list, the chosen row of a closed one, or -1. `typed`: the input holds typed
 * text, not the name of the chosen bank.
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
