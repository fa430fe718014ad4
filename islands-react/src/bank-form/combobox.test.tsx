import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { BankCombobox } from './BankCombobox';

const BANKS = [
  { code: '001', name: 'Banco do Brasil' },
  { code: '077', name: 'Banco Inter' },
  { code: '260', name: 'Nu Pagamentos' },
];

type HostProps = {
  initial: string;
  banks: typeof BANKS;
  chosen: (code: string) => void;
  left: (unclear: number | undefined) => void;
  sent: () => void;
};

function Host({ initial, banks, chosen, left, sent }: HostProps) {
  const [value, setValue] = useState(initial);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent();
      }}
    >
      <label htmlFor="b">Banco</label>
      <BankCombobox
        inputId="b"
        inputRef={null}
        banks={banks}
        value={value}
        onChange={(code) => {
          setValue(code);
          chosen(code);
        }}
        onLeave={left}
        waiting={false}
        retry={undefined}
        placeholder="Selecione o banco"
        invalid={false}
        describedBy={undefined}
      />
      <button type="submit">Depois</button>
    </form>
  );
}

function show(initial = '', banks = BANKS) {
  const chosen = vi.fn<(code: string) => void>();
  const left = vi.fn<(unclear: number | undefined) => void>();
  const sent = vi.fn<() => void>();
  render(<Host {...{ initial, banks, chosen, left, sent }} />);
  return { chosen, left, sent };
}

const input = () => screen.getByRole('combobox');
const options = () => screen.queryAllByRole('option').map((option) => option.textContent);
function active() {
  const id = input().getAttribute('aria-activedescendant');
  return id === null ? null : document.getElementById(id)?.querySelector('.combobox__name')?.textContent;
}

test('complete by keyboard: open, move round, choose', async () => {
  const { chosen, sent } = show();
  await userEvent.tab();
  expect(input()).toHaveAttribute('aria-expanded', 'false');
  await userEvent.keyboard('{ArrowDown}');
  expect(input()).toHaveAttribute('aria-expanded', 'true');
  expect(active()).toBe('Banco do Brasil');
  await userEvent.keyboard('{ArrowUp}');
  expect(active()).toBe('Nu Pagamentos');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(active()).toBe('Banco Inter');
  await userEvent.keyboard('{Enter}');
  expect(chosen).toHaveBeenCalledExactlyOnceWith('077');
  expect(input()).toHaveValue('Banco Inter');
  expect(input()).toHaveAttribute('aria-expanded', 'false');
  expect(sent).not.toHaveBeenCalled();
  await userEvent.keyboard('{Enter}');
  expect(sent).toHaveBeenCalledOnce();
});

test('typing filters, makes the first match active and says how many there are', async () => {
  const { chosen } = show();
  await userEvent.type(input(), 'banco');
  expect(options()).toHaveLength(2);
  expect(await screen.findByText('2 bancos encontrados')).toHaveRole('status');
  await userEvent.type(input(), ' int');
  expect(await screen.findByText('1 banco encontrado')).toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  expect(chosen).toHaveBeenCalledExactlyOnceWith('077');
});

test('the count is announced once the typing pauses, and not at each key', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  show();
  const said: (string | null)[] = [];
  const status = screen.getByRole('status');
  new MutationObserver(() => said.push(status.textContent)).observe(status, {
    subtree: true,
    characterData: true,
    childList: true,
  });
  fireEvent.click(input());
  for (const text of ['b', 'ba', 'ban', 'nub']) {
    fireEvent.change(input(), { target: { value: text } });
    await act(() => vi.advanceTimersByTimeAsync(200));
  }
  await act(() => vi.advanceTimersByTimeAsync(500));
  vi.useRealTimers();
  expect(said).toEqual(['1 banco encontrado']);
});

test('no match says so, and Enter neither chooses nor sends', async () => {
  const { chosen, sent } = show();
  await userEvent.type(input(), 'zzz{Enter}{ArrowDown}{Enter}');
  expect(options()).toEqual([]);
  expect(screen.getByText(/Confira o nome ou o código/)).toBeInTheDocument();
  // The listbox is not rendered without options.
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument();
  expect(input()).toHaveAttribute('aria-expanded', 'false');
  expect(await screen.findByText('Nenhum banco encontrado')).toHaveRole('status');
  expect(chosen).not.toHaveBeenCalled();
  expect(sent).not.toHaveBeenCalled();
});

test('Escape closes and brings the chosen bank back', async () => {
  const { chosen } = show('260');
  await userEvent.click(input());
  expect(screen.getByRole('option', { name: /Nu Pagamentos/ })).toHaveAttribute('aria-selected', 'true');
  expect(active()).toBe('Nu Pagamentos');
  await userEvent.keyboard('xyz{Escape}');
  expect(input()).toHaveValue('Nu Pagamentos');
  expect(options()).toEqual([]);
  expect(chosen).not.toHaveBeenCalled();
});

test('a click on any part of a row chooses it', async () => {
  const { chosen } = show();
  await userEvent.click(input());
  await userEvent.click(screen.getByText('260'));
  expect(chosen).toHaveBeenCalledExactlyOnceWith('260');
  expect(input()).toHaveValue('Nu Pagamentos');
  expect(input()).toHaveFocus();
});

test('leaving takes a text that means one bank only', async () => {
  const { chosen, left } = show();
  await userEvent.type(input(), 'nubank');
  await userEvent.click(document.body);
  expect(chosen).toHaveBeenCalledExactlyOnceWith('260');
  expect(input()).toHaveValue('Nu Pagamentos');
  expect(left).toHaveBeenCalledExactlyOnceWith(undefined);
});

test('Tab commits the highlighted row after typing, and the focus goes on', async () => {
  const { chosen, left } = show('260');
  await userEvent.click(input());
  await userEvent.keyboard('banco{ArrowDown}');
  await userEvent.tab();
  expect(chosen).toHaveBeenCalledExactlyOnceWith('077');
  expect(input()).toHaveValue('Banco Inter');
  expect(screen.getByRole('button')).toHaveFocus();
  expect(left).toHaveBeenCalledExactlyOnceWith(undefined);
});

test('Tab takes no row that was only looked at', async () => {
  const { chosen } = show();
  await userEvent.tab();
  await userEvent.keyboard('{ArrowDown}');
  await userEvent.tab();
  expect(chosen).not.toHaveBeenCalled();
  expect(input()).toHaveValue('');
});

test.each([
  ['several banks', 'banco', 2],
  ['none', 'zzz', 0],
])('a text that means %s stays when the field is left, and no bank is chosen', async (_name, text, means) => {
  const { chosen, left } = show('260');
  await userEvent.click(input());
  await userEvent.keyboard(text);
  await userEvent.click(document.body);
  expect(input()).toHaveValue(text);
  expect(options()).toEqual([]);
  expect(chosen).toHaveBeenCalledExactlyOnceWith('');
  expect(left).toHaveBeenCalledExactlyOnceWith(means);
});

test('a text that stayed can be gone on with', async () => {
  const { chosen } = show();
  await userEvent.type(input(), 'banco');
  await userEvent.click(document.body);
  await userEvent.click(input());
  expect(options()).toHaveLength(2);
  await userEvent.click(screen.getByText('Banco Inter'));
  expect(chosen).toHaveBeenCalledExactlyOnceWith('077');
  expect(input()).toHaveValue('Banco Inter');
});

test('Alt and an arrow open and close without moving, and what was typed stays', async () => {
  const { chosen } = show('077');
  await userEvent.tab();
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(options()).toHaveLength(3);
  expect(active()).toBe('Banco Inter');
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(active()).toBe('Banco Inter');
  await userEvent.keyboard('banco{Alt>}{ArrowUp}{/Alt}');
  expect(options()).toEqual([]);
  expect(input()).toHaveValue('banco');
  expect(chosen).toHaveBeenCalledExactlyOnceWith('');
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(options()).toHaveLength(2);
  expect(active()).toBeNull();
});

test('emptying the text takes the choice back', async () => {
  const { chosen } = show('260');
  await userEvent.clear(input());
  expect(chosen).toHaveBeenLastCalledWith('');
  await userEvent.tab();
  expect(input()).toHaveValue('');
});

test('250 banks are all there, and pages of them can be passed', async () => {
  const many = Array.from({ length: 250 }, (_, at) => ({ code: String(at).padStart(3, '0'), name: `Banco ${at}` }));
  show('', many);
  await userEvent.tab();
  await userEvent.keyboard('{ArrowDown}{PageDown}{PageDown}');
  expect(screen.getAllByRole('option')).toHaveLength(250);
  expect(active()).toBe('Banco 20');
  await userEvent.keyboard('{PageUp}{PageUp}{PageUp}');
  expect(active()).toBe('Banco 0');
});
