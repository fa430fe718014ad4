import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useMemo, useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { BankPicker } from './BankPicker';
import { bankList, savedBank } from './bank-list';

const BANKS = [
  { code: '001', name: 'Banco do Brasil' },
  { code: '077', name: 'Banco Inter' },
  { code: '260', name: 'Nu Pagamentos' },
];

const NONE = 'Não achamos esse banco. Tente um nome mais curto ou veja a lista inteira.';

type HostProps = {
  initial: string;
  banks: typeof BANKS;
  chosen: (code: string) => void;
  typed: () => void;
  left: (unclear: number | undefined) => void;
  sent: () => void;
};

function Host({ initial, banks, chosen, typed, left, sent }: HostProps) {
  const list = useMemo(() => bankList(banks), [banks]);
  const [value, setValue] = useState(savedBank(list, initial, ''));
  return (
    <form
      className="field"
      onSubmit={(event) => {
        event.preventDefault();
        sent();
      }}
    >
      <label htmlFor="b">Banco</label>
      <BankPicker
        links={{ id: 'b', 'aria-invalid': undefined, 'aria-describedby': undefined }}
        list={list}
        chosen={value}
        onChange={(bank) => {
          setValue(bank);
          chosen(bank?.code ?? '');
        }}
        onType={typed}
        onLeave={left}
        status="ready"
        retry={() => {}}
      />
      <button type="submit">Depois</button>
    </form>
  );
}

function show(initial = '', banks = BANKS) {
  const chosen = vi.fn<(code: string) => void>();
  const typed = vi.fn<() => void>();
  const left = vi.fn<(unclear: number | undefined) => void>();
  const sent = vi.fn<() => void>();
  render(<Host {...{ initial, banks, chosen, typed, left, sent }} />);
  return { chosen, typed, left, sent };
}

const input = () => screen.getByRole('combobox');
const options = () => screen.queryAllByRole('option').map((option) => option.textContent);
function active() {
  const id = input().getAttribute('aria-activedescendant');
  return id === null ? null : document.getElementById(id)?.querySelector('.combobox__label')?.textContent;
}

test('complete by keyboard: open, move round, choose', async () => {
  const { chosen, sent } = show();
  await userEvent.tab();
  expect(input()).toHaveAttribute('aria-expanded', 'false');
  await userEvent.keyboard('{ArrowDown}');
  expect(input()).toHaveAttribute('aria-expanded', 'true');
  expect(active()).toBe('Banco do Brasil');
  await userEvent.keyboard('{ArrowUp}');
  expect(active()).toBe('Inter');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(active()).toBe('Nubank');
  await userEvent.keyboard('{Enter}');
  expect(chosen).toHaveBeenCalledExactlyOnceWith('260');
  expect(input()).toHaveValue('Nubank');
  expect(input()).toHaveAttribute('aria-expanded', 'false');
  expect(sent).not.toHaveBeenCalled();
  await userEvent.keyboard('{Enter}');
  expect(sent).toHaveBeenCalledOnce();
});

describe('a list with more than the most used banks', () => {
  const MANY = [{ code: '999', name: 'Banco Zeta S.A.' }, { code: '655', name: 'Banco Votorantim S.A.' }, ...BANKS];

  test('has them first, under their heading, and the others from A to Z', async () => {
    show('', MANY);
    await userEvent.click(input());
    const [mostUsed, others] = screen.getAllByRole('group');
    const labels = (group: HTMLElement | undefined) =>
      [...(group?.querySelectorAll('.combobox__label') ?? [])].map((label) => label.textContent);
    expect(mostUsed).toHaveAccessibleName('Mais usados');
    expect(labels(mostUsed)).toEqual(['Banco do Brasil', 'Nubank', 'Inter']);
    expect(others).toHaveAccessibleName('Outros bancos');
    expect(labels(others)).toEqual(['Banco Zeta S.A.', 'BV']);
    expect(screen.getByRole('listbox')).toContainElement(others ?? null);
  });

  test('is passed by keyboard from group to group', async () => {
    const { chosen } = show('', MANY);
    await userEvent.tab();
    await userEvent.keyboard('{ArrowUp}');
    expect(active()).toBe('BV');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(active()).toBe('Banco Zeta S.A.');
    await userEvent.keyboard('{Enter}');
    expect(chosen).toHaveBeenCalledExactlyOnceWith('999');
    await userEvent.keyboard('{ArrowDown}');
    expect(active()).toBe('Banco Zeta S.A.');
    expect(screen.getAllByRole('option', { selected: true })).toHaveLength(1);
  });

  test('has no headings while it is searched', async () => {
    show('', MANY);
    await userEvent.type(input(), 'banco');
    expect(options().length).toBeGreaterThan(1);
    expect(screen.queryByRole('group')).not.toBeInTheDocument();
    await userEvent.clear(input());
    expect(screen.getAllByRole('group')).toHaveLength(2);
  });
});

test('of two banks of one code each is a row of its own, and the chosen one alone is selected', async () => {
  const { chosen } = show('', [
    { code: '756', name: 'Credi Norte' },
    { code: '756', name: 'Credi Sul' },
    { code: '756', name: 'Credi Sul' },
  ]);
  await userEvent.click(input());
  expect(options()).toHaveLength(2);
  await userEvent.click(screen.getByRole('option', { name: /Sul/ }));
  expect(chosen).toHaveBeenCalledExactlyOnceWith('756');
  expect(input()).toHaveValue('Credi Sul');
  await userEvent.click(input());
  expect(screen.getAllByRole('option', { selected: true }).map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Credi Sul'),
  ]);
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

test('a row names brand, registered name and code, and its letters are for the eye alone', async () => {
  show('', [{ code: '260', name: 'Nu Pagamentos S.A.' }, ...BANKS.slice(0, 1)]);
  await userEvent.click(input());
  expect(screen.getByRole('option', { name: 'Nubank Nu Pagamentos S.A. 260' })).toBeInTheDocument();
  expect(screen.getByRole('option', { name: 'Banco do Brasil 001' })).toBeInTheDocument();
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
  await userEvent.type(input(), 'zzz{Enter}');
  expect(input()).toHaveValue('zzz');
  expect(active()).toBeNull();
  expect(await screen.findByText(NONE, { selector: '[role=status]' })).toBeInTheDocument();
  expect(screen.getByText(NONE, { selector: '.combobox__empty' })).toBeInTheDocument();
  expect(chosen).not.toHaveBeenCalled();
  expect(sent).not.toHaveBeenCalled();
});

test.each([
  ['a press', () => userEvent.click(screen.getByRole('option', { name: 'Ver todos os bancos' }))],
  ['the keys', () => userEvent.keyboard('{ArrowDown}{Enter}')],
])('where nothing is found, %s empties the field and shows the whole list', async (_how, act) => {
  const { chosen, sent } = show('260');
  await userEvent.click(input());
  await userEvent.keyboard('zzz');
  expect(options()).toEqual(['Ver todos os bancos']);
  expect(input()).toHaveAttribute('aria-expanded', 'true');
  await act();
  expect(input()).toHaveValue('');
  expect(input()).toHaveFocus();
  expect(options()).toHaveLength(3);
  expect(chosen).toHaveBeenCalledExactlyOnceWith('');
  expect(sent).not.toHaveBeenCalled();
});

test('Escape closes and brings the chosen bank back', async () => {
  const { chosen } = show('260');
  await userEvent.click(input());
  expect(screen.getByRole('option', { name: /Nu Pagamentos/ })).toHaveAttribute('aria-selected', 'true');
  expect(active()).toBe('Nubank');
  await userEvent.keyboard('xyz{Escape}');
  expect(input()).toHaveValue('Nubank');
  expect(options()).toEqual([]);
  expect(chosen).not.toHaveBeenCalled();
});

test('a click on any part of a row chooses it', async () => {
  const { chosen } = show();
  await userEvent.click(input());
  await userEvent.click(screen.getByText('260'));
  expect(chosen).toHaveBeenCalledExactlyOnceWith('260');
  expect(input()).toHaveValue('Nubank');
  expect(input()).toHaveFocus();
});

describe('leaving', () => {
  test.each([
    ['nubank', '260', 'Nubank'],
    ['nu bank', '260', 'Nubank'],
    ['inte', '077', 'Inter'],
    ['BB', '001', 'Banco do Brasil'],
    ['077', '077', 'Inter'],
    ['nubanck', '260', 'Nubank'],
  ])('takes the highlighted bank if %j means it, and says so', async (text, code, label) => {
    const { chosen, left } = show();
    await userEvent.type(input(), text);
    expect(active()).toBe(label);
    await userEvent.click(document.body);
    expect(chosen).toHaveBeenCalledExactlyOnceWith(code);
    expect(input()).toHaveValue(label);
    expect(screen.getByRole('status')).toHaveTextContent(`Banco escolhido: ${label}`);
    expect(left).toHaveBeenCalledExactlyOnceWith(undefined);
    await userEvent.click(input());
    expect(screen.getByRole('status')).not.toHaveTextContent('Banco escolhido');
  });

  test('takes a bank in place of another', async () => {
    const { chosen } = show('260');
    await userEvent.click(input());
    await userEvent.keyboard('inter');
    await userEvent.tab();
    expect(chosen).toHaveBeenCalledExactlyOnceWith('077');
    expect(input()).toHaveValue('Inter');
  });

  test('Tab commits the highlighted row after typing, and the focus goes on', async () => {
    const { chosen, left } = show('260');
    await userEvent.click(input());
    await userEvent.keyboard('banco{ArrowDown}');
    await userEvent.tab();
    expect(chosen).toHaveBeenCalledExactlyOnceWith('077');
    expect(input()).toHaveValue('Inter');
    expect(screen.getByRole('button')).toHaveFocus();
    expect(left).toHaveBeenCalledExactlyOnceWith(undefined);
  });

  test('takes no row that was only looked at', async () => {
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
  ])('keeps a text that means %s, and no bank is chosen', async (_name, text, means) => {
    const { chosen, left } = show('260');
    await userEvent.click(input());
    await userEvent.keyboard(text);
    await userEvent.click(document.body);
    expect(input()).toHaveValue(text);
    expect(options()).toEqual([]);
    expect(chosen).toHaveBeenCalledExactlyOnceWith('');
    expect(left).toHaveBeenCalledExactlyOnceWith(means);
  });

  test('keeps the text, too, while "Ver todos os bancos" is highlighted', async () => {
    const { chosen, left } = show();
    await userEvent.type(input(), 'zzz{ArrowDown}');
    await userEvent.tab();
    expect(input()).toHaveValue('zzz');
    expect(chosen).not.toHaveBeenCalled();
    expect(left).toHaveBeenCalledExactlyOnceWith(0);
  });
});

test('a text that stayed can be gone on with', async () => {
  const { chosen, typed } = show();
  await userEvent.type(input(), 'banco');
  await userEvent.click(document.body);
  expect(typed).toHaveBeenCalledTimes(5);
  await userEvent.click(input());
  expect(options()).toHaveLength(2);
  await userEvent.click(screen.getByText('Inter'));
  expect(chosen).toHaveBeenCalledExactlyOnceWith('077');
  expect(input()).toHaveValue('Inter');
});

test('Alt and an arrow open and close without moving, and what was typed stays', async () => {
  const { chosen } = show('077');
  await userEvent.tab();
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(options()).toHaveLength(3);
  expect(active()).toBe('Inter');
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(active()).toBe('Inter');
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
