/** What a key means to the combobox (ARIA APG, editable combobox with list autocomplete). */

export type KeyStep = { do: 'nothing' } | { do: 'activate'; index: number } | { do: 'choose' } | { do: 'close' };

/** Rows that Page Up and Page Down pass. */
const PAGE_ROWS = 10;

type Pressed = { key: string; altKey: boolean };

/** `active` is the active row, or -1 for none; a closed list is opened by `activate`, at the chosen row if any. */
export function keyStep({ key, altKey }: Pressed, list: { open: boolean; active: number; count: number }): KeyStep {
  const { open, active, count } = list;
  const last = count - 1;
  const at = (index: number): KeyStep => ({
    do: 'activate',
    index: Math.max(Math.min(index, last), Math.min(0, last)),
  });
  switch (key) {
    case 'ArrowDown':
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
    case 'Escape':
      return open ? { do: 'close' } : { do: 'nothing' };
    default:
      return { do: 'nothing' };
  }
}
