import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useMemo, useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { BankPicker } from './BankPicker';
import { bankList, savedBank } from './bank-list';

const BANKS = [
  { code: '001', name: 'Banco do Brasil' },
  { code: '077', name: 'Banco Inter' },
  { code: '260', name: 'Nu Pagamentos S.A.' },
];
const OTHERS = ['Banco Beta', 'Banco Zeta', 'Banco Zeta'].map((name) => ({ code: '999', name }));

const heard = {
  chosen: vi.fn<(code: string) => void>(),
  left: vi.fn<(unclear: number | undefined) => void>(),
  sent: vi.fn<() => void>(),
};

function Host({ initial, banks }: { initial: string; banks: typeof BANKS }) {
  const list = useMemo(() => bankList(banks), [banks]);
  const [chosen, setChosen] = useState(savedBank(list, initial, ''));
  return (
    <form
      className="field"
      onSubmit={(event) => {
        event.preventDefault();
        heard.sent();
      }}
    >
      <BankPicker
        links={{ id: 'b', 'aria-invalid': undefined, 'aria-describedby': undefined }}
        list={list}
        chosen={chosen}
        onChange={(bank) => {
          setChosen(bank);
          heard.chosen(bank?.code ?? '');
        }}
        onType={() => {}}
        onLeave={heard.left}
        status="ready"
        retry={() => {}}
      />
      <button type="submit">Depois</button>
    </form>
  );
}

function show(initial = '', banks = BANKS) {
  render(<Host initial={initial} banks={banks} />);
}

afterEach(() => {
  vi.useRealTimers();
  vi.clearAllMocks();
});

const input = () => screen.getByRole('combobox');
const options = () => screen.queryAllByRole('option').map((option) => option.textContent);
const labels = (within: Element) => [...within.querySelectorAll('.combobox__label')].map((label) => label.textContent);
const codes = () => heard.chosen.mock.calls.map(([code]) => code);
function active() {
  const id = input().getAttribute('aria-activedescendant');
  return id === null ? null : document.getElementById(id)?.querySelector('.combobox__label')?.textContent;
}

test('complete by keyboard: open, move round, choose, and only then Enter sends', async () => {
  show();
  await userEvent.tab();
  expect(input()).toHaveAttribute('aria-expanded', 'false');
  await userEvent.keyboard('{ArrowDown}');
  expect(input()).toHaveAttribute('aria-expanded', 'true');
  expect(input()).toHaveAttribute('aria-controls', screen.getByRole('listbox').id);
  expect(active()).toBe('Banco do Brasil');
  await userEvent.keyboard('{ArrowUp}');
  expect(active()).toBe('Inter');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(active()).toBe('Nubank');
  await userEvent.keyboard('{Enter}');
  expect(codes()).toEqual(['260']);
  expect(input()).toHaveValue('Nubank');
  expect(input()).toHaveAttribute('aria-expanded', 'false');
  expect(heard.sent).not.toHaveBeenCalled();
  await userEvent.keyboard('{Enter}');
  expect(heard.sent).toHaveBeenCalledOnce();
});

describe('a list with more than the most used banks', () => {
  test('has them first, under their heading, and the others from A to Z; no headings while it is searched', async () => {
    show('', [...OTHERS, ...BANKS]);
    await userEvent.click(input());
    const groups = screen.getAllByRole('group');
    expect(groups.map(labels)).toEqual([
      ['Banco do Brasil', 'Nubank', 'Inter'],
      ['Banco Beta', 'Banco Zeta'],
    ]);
    expect(groups[0]).toHaveAccessibleName('Mais usados');
    expect(groups[1]).toHaveAccessibleName('Outros bancos');
    await userEvent.keyboard('banco');
    expect(options().length).toBeGreaterThan(1);
    expect(screen.queryByRole('group')).not.toBeInTheDocument();
  });

  test('is passed by keyboard from group to group, and opens at the chosen one, of two of one code the right one', async () => {
    show('', [...OTHERS, ...BANKS]);
    await userEvent.tab();
    await userEvent.keyboard('{ArrowUp}');
    expect(active()).toBe('Banco Zeta');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(active()).toBe('Banco Beta');
    await userEvent.keyboard('{Enter}{ArrowDown}{ArrowDown}{Enter}{ArrowDown}');
    expect(active()).toBe('Banco Zeta');
    expect(screen.getAllByRole('option', { selected: true })).toHaveLength(1);
  });
});

test.each([
  [false, 'start'],
  [true, 'nearest'],
])('the list has the room that the style sheet gives it: wider than phones %s, scrolled to %s', async (wide, block) => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(min-width: 550px)' && wide }));
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  show();
  await userEvent.click(input());
  expect(scroll).toHaveBeenCalledWith({ block });
});

test('a row names brand, registered name and code, and a click on any part of it chooses it', async () => {
  show();
  await userEvent.click(input());
  expect(screen.getByRole('option', { name: 'Banco do Brasil 001' })).toBeInTheDocument();
  expect(screen.getByRole('option', { name: 'Nubank Nu Pagamentos S.A. 260' })).toBeInTheDocument();
  await userEvent.click(screen.getByText('260'));
  expect(codes()).toEqual(['260']);
  expect(input()).toHaveValue('Nubank');
  expect(input()).toHaveFocus();
});

test('typing filters and makes the first match active; the count is announced once the typing pauses', async () => {
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
  for (const [text, pause] of [
    ['b', 200],
    ['ba', 200],
    ['banc', 500],
    ['nub', 500],
  ] as const) {
    fireEvent.change(input(), { target: { value: text } });
    await act(() => vi.advanceTimersByTimeAsync(pause));
  }
  expect(said).toEqual(['2 bancos encontrados', '1 banco encontrado']);
  expect(options()).toHaveLength(1);
  fireEvent.keyDown(input(), { key: 'Enter' });
  expect(codes()).toEqual(['260']);
});

test.each([
  ['a press', () => userEvent.click(screen.getByRole('option'))],
  ['the keys', () => userEvent.keyboard('{ArrowDown}{Enter}')],
])('no match says so, Enter neither chooses nor sends, and %s shows the whole list', async (_how, act) => {
  const NONE = 'Não achamos esse banco. Tente um nome mais curto ou veja a lista inteira.';
  show('260');
  await userEvent.click(input());
  await userEvent.keyboard('zzz{Enter}');
  expect(input()).toHaveValue('zzz');
  expect(active()).toBeNull();
  expect(screen.getByText(NONE, { selector: '.combobox__empty' })).toBeInTheDocument();
  expect(await screen.findByText(NONE, { selector: '[role=status]' })).toBeInTheDocument();
  expect(options()).toEqual(['Ver todos os bancos']);
  expect(codes()).toEqual([]);
  await act();
  expect(input()).toHaveValue('');
  expect(input()).toHaveFocus();
  expect(options()).toHaveLength(3);
  expect(codes()).toEqual(['']);
  expect(heard.sent).not.toHaveBeenCalled();
});

test('Escape closes and brings the chosen bank back', async () => {
  show('260');
  await userEvent.click(input());
  expect(active()).toBe('Nubank');
  await userEvent.keyboard('xyz{Escape}');
  expect(input()).toHaveValue('Nubank');
  expect(options()).toEqual([]);
  expect(codes()).toEqual([]);
});

test.each<[string, string, string, string, string[], number | undefined]>([
  ['takes a bank that the text means', '', 'nubanck', 'Nubank', ['260'], undefined],
  ['takes it in the place of another', '260', 'inter', 'Inter', ['077'], undefined],
  ['takes the row that the arrows highlight', '260', 'banco{ArrowDown}', 'Inter', ['077'], undefined],
  ['takes no row that was only looked at', '', '{ArrowDown}', '', [], undefined],
  ['keeps a text that means several banks, and no bank is chosen', '260', 'banco', 'banco', [''], 2],
  ['keeps a text that means none, and no bank is chosen', '260', 'zzz', 'zzz', [''], 0],
  ['keeps it, too, while "Ver todos os bancos" is highlighted', '', 'zzz{ArrowDown}', 'zzz', [], 0],
  ['takes the choice back if there is no text', '260', ' ', '', [''], undefined],
])('leaving the field %s', async (_what, initial, keys, value, chosen, unclear) => {
  show(initial);
  await userEvent.click(input());
  await userEvent.keyboard(keys);
  await userEvent.tab();
  expect(screen.getByRole('button')).toHaveFocus();
  expect(input()).toHaveValue(value);
  expect(codes()).toEqual(chosen);
  expect(heard.left.mock.calls).toEqual([[unclear]]);
  expect(options()).toEqual([]);
  const taken = unclear === undefined && value !== '' ? `Banco escolhido: ${value}` : '';
  expect(screen.getByRole('status').textContent).toBe(taken);
  await userEvent.click(input());
  expect(screen.getByRole('status')).not.toHaveTextContent('Banco escolhido');
});

test('Alt and an arrow open and close without moving, and what was typed stays', async () => {
  show('077');
  await userEvent.tab();
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(options()).toHaveLength(3);
  expect(active()).toBe('Inter');
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(active()).toBe('Inter');
  await userEvent.keyboard('banco{Alt>}{ArrowUp}{/Alt}');
  expect(options()).toEqual([]);
  expect(input()).toHaveValue('banco');
  expect(codes()).toEqual(['']);
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(options()).toHaveLength(2);
  expect(active()).toBeNull();
});

test('pages of ten banks can be passed', async () => {
  show(
    '',
    Array.from({ length: 25 }, (_, at) => ({ code: `x${at}`, name: `Banco ${at}` })),
  );
  await userEvent.tab();
  await userEvent.keyboard('{ArrowDown}{PageDown}');
  expect(active()).toBe('Banco 10');
  await userEvent.keyboard('{PageDown}{PageDown}');
  expect(active()).toBe('Banco 24');
  await userEvent.keyboard('{PageUp}{PageUp}{PageUp}');
  expect(active()).toBe('Banco 0');
});
