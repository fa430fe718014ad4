import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { BankCombobox } from './BankCombobox';

const BANKS = [
  { code: '001', name: 'Banco do Brasil' },
  { code: '077', name: 'Banco Inter' },
  { code: '260', name: 'Nu Pagamentos' },
];

type HostProps = { initial: string; banks: typeof BANKS; chosen: (code: string) => void; sent: () => void };

function Host({ initial, banks, chosen, sent }: HostProps) {
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
        onBlur={() => {}}
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
  const sent = vi.fn<() => void>();
  render(<Host {...{ initial, banks, chosen, sent }} />);
  return { chosen, sent };
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
  expect(screen.getByText('2 bancos encontrados')).toHaveRole('status');
  await userEvent.type(input(), ' int');
  expect(screen.getByText('1 banco encontrado')).toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  expect(chosen).toHaveBeenCalledExactlyOnceWith('077');
});

test('no match says so, and Enter neither chooses nor sends', async () => {
  const { chosen, sent } = show();
  await userEvent.type(input(), 'zzz{Enter}{ArrowDown}{Enter}');
  expect(options()).toEqual([]);
  expect(screen.getByText(/Confira o nome ou o código/)).toBeInTheDocument();
  expect(screen.getByText('Nenhum banco encontrado')).toHaveRole('status');
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
  const { chosen } = show();
  await userEvent.type(input(), 'nubank');
  await userEvent.tab();
  expect(chosen).toHaveBeenCalledExactlyOnceWith('260');
});

test('leaving with a text that means several keeps what was chosen', async () => {
  const { chosen } = show('260');
  await userEvent.click(input());
  await userEvent.keyboard('banco');
  await userEvent.tab();
  expect(chosen).not.toHaveBeenCalled();
  expect(input()).toHaveValue('Nu Pagamentos');
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
