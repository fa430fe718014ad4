/** Maps keys to actions of the combobox (ARIA APG, editable combobox with list autocomplete). */

type KeyAction =
  | { type: 'none' }
  /** Opens the list if it is closed, and highlights a row. */
  | { type: 'activate'; index: number }
  | { type: 'choose' }
  /** Closes the list, keeps the text. */
  | { type: 'close' }
  /** Closes the list, discards the typed text. */
  | { type: 'revert' };

/** Rows per Page Up or Page Down. */
const PAGE_ROWS = 10;

type Pressed = { key: string; altKey: boolean };

type List = { open: boolean; active: number; count: number };

/** `active`: the highlighted row of an open list, the chosen row of a closed one, or -1. */
export function keyAction({ key, altKey }: Pressed, { open, active, count }: List): KeyAction {
  const last = count - 1;
  const at = (index: number): KeyAction => ({
    type: 'activate',
    index: Math.max(Math.min(index, last), Math.min(0, last)),
  });
  switch (key) {
    case 'ArrowDown':
      if (altKey) return open ? { type: 'none' } : { type: 'activate', index: active };
      if (!open) return at(active);
      return at(active === last ? 0 : active + 1);
    case 'ArrowUp':
      if (open && altKey) return { type: 'close' };
      if (!open) return at(active < 0 ? last : active);
      return at(active <= 0 ? last : active - 1);
    case 'PageDown':
      return open ? at(active + PAGE_ROWS) : { type: 'none' };
    case 'PageUp':
      return open ? at(active - PAGE_ROWS) : { type: 'none' };
    case 'Enter':
      // With the list open, Enter chooses; it never sends the form.
      return open ? { type: 'choose' } : { type: 'none' };
    case 'Escape':
      return open ? { type: 'revert' } : { type: 'none' };
    default:
      return { type: 'none' };
  }
}
