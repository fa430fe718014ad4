import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { ADMIN, BANKS, bank, FORM, LIST, serve, show, submit } from '../testing/bank-form';
import { answerActions, deferred, mountIsland } from '../testing/page';
import { mount } from '.';

const options = () => screen.queryAllByRole('option').map((option) => option.textContent);
const labels = (within: Element) => [...within.querySelectorAll('.combobox__label')].map((label) => label.textContent);
const status = () => bank().closest('.combobox')?.querySelector('[role=status]');
function active() {
  const id = bank().getAttribute('aria-activedescendant');
  return id === null ? null : document.getElementById(id)?.querySelector('.combobox__label')?.textContent;
}

test('complete by keyboard: open, move round, choose, and only then Enter sends', async () => {
  const { saved } = await show(ADMIN);
  act(() => bank().focus());
  expect(bank()).toHaveAttribute('aria-expanded', 'false');
  await userEvent.keyboard('{ArrowDown}');
  expect(bank()).toHaveAttribute('aria-expanded', 'true');
  expect(bank()).toHaveAttribute('aria-controls', screen.getByRole('listbox').id);
  expect(active()).toBe('Banco do Brasil');
  await userEvent.keyboard('{ArrowUp}');
  expect(active()).toBe('Credi Sul');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}');
  await userEvent.click(bank());
  expect(active(), 'a click into the open list moves nothing').toBe('Nubank');
  await userEvent.keyboard('{Enter}');
  expect(bank()).toHaveValue('Nubank');
  expect(bank()).toHaveAttribute('aria-expanded', 'false');
  expect(saved()).toEqual([]);
  await userEvent.keyboard('{Enter}');
  expect(saved()).toEqual([{ session: 's-1', ...FORM }]);
});

test('the most used banks are first, under their heading, then the others; no headings while it is searched', async () => {
  await show();
  act(() => bank().focus());
  await userEvent.keyboard('{ArrowUp}');
  const groups = within(screen.getByRole('listbox')).getAllByRole('group');
  expect(groups.map(labels)).toEqual([
    ['Banco do Brasil', 'Nubank'],
    ['Credi Norte', 'Credi Sul'],
  ]);
  expect(groups[0]).toHaveAccessibleName('Mais usados');
  expect(groups[1]).toHaveAccessibleName('Outros bancos');
  expect(active()).toBe('Credi Sul');
  await userEvent.keyboard('{ArrowUp}{ArrowUp}');
  expect(active()).toBe('Nubank');
  await userEvent.keyboard('credi');
  expect(options()).toHaveLength(2);
  expect(within(screen.getByRole('listbox')).queryByRole('group')).not.toBeInTheDocument();
});

test.each(['{ArrowDown}', '{ArrowUp}'])(
  '%s opens at the chosen bank, of two of one code at the right one',
  async (key) => {
    await show({ bank: '756', bankName: 'Credi Norte' });
    act(() => bank().focus());
    await userEvent.keyboard(key);
    expect(active()).toBe('Credi Norte');
    expect(screen.getAllByRole('option', { selected: true })).toHaveLength(1);
  },
);

describe('pressed before there is a list', () => {
  const showLoading = async () => {
    const list = deferred<{ body: unknown }>();
    await show(FORM, { list: [list.promise] });
    return () => act(async () => list.settle({ body: { banks: BANKS } }));
  };

  test('opens once it is there, at the chosen bank', async () => {
    const settle = await showLoading();
    await userEvent.click(bank());
    expect(bank()).toHaveAttribute('aria-expanded', 'false');
    await settle();
    expect(bank()).toHaveAttribute('aria-expanded', 'true');
    expect(options()).toHaveLength(4);
    expect(active()).toBe('Nubank');
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(bank()).toHaveValue('Credi Norte');
    expect(options()).toEqual([]);
  });

  test('stays closed if the field has been left meanwhile', async () => {
    const settle = await showLoading();
    await userEvent.click(bank());
    await userEvent.tab();
    await settle();
    expect(options()).toEqual([]);
    await userEvent.click(bank());
    expect(options()).toHaveLength(4);
  });

  test('opens, too, if React had not even started', async () => {
    const host = serve(FORM);
    answerActions({ list_banks: [LIST] });
    act(() => bank().focus());
    await mountIsland(mount, host);
    expect(options()).toHaveLength(4);
  });
});

test('a row names brand, registered name and code, and a click on any part of it chooses it', async () => {
  await show({}, { list: [{ body: { banks: BANKS.slice(0, 2) } }] });
  await userEvent.click(bank());
  expect(within(screen.getByRole('listbox')).queryByRole('group'), 'all are most used').not.toBeInTheDocument();
  expect(screen.getByRole('option', { name: 'Banco do Brasil 001' })).toBeInTheDocument();
  expect(screen.getByRole('option', { name: 'Nubank Nu Pagamentos 260' })).toBeInTheDocument();
  await userEvent.click(screen.getByText('260'));
  expect(bank()).toHaveValue('Nubank');
  expect(bank()).toHaveFocus();
});

test('typing filters and makes the first match active; the count is announced once the typing pauses', async () => {
  await show();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const said: (string | null | undefined)[] = [];
  const watcher = new MutationObserver(() => said.push(status()?.textContent));
  watcher.observe(status() as Element, { subtree: true, characterData: true, childList: true });
  fireEvent.click(bank());
  for (const [text, pause] of [
    ['c', 200],
    ['cr', 200],
    ['credi', 500],
    ['nub', 500],
  ] as const) {
    fireEvent.change(bank(), { target: { value: text } });
    await act(() => vi.advanceTimersByTimeAsync(pause));
  }
  expect(said).toEqual(['2 bancos encontrados', '1 banco encontrado']);
  expect(options()).toHaveLength(1);
  fireEvent.keyDown(bank(), { key: 'Enter' });
  expect(bank()).toHaveValue('Nubank');
});

test.each([
  ['a press', () => userEvent.click(screen.getByRole('option'))],
  ['the keys', () => userEvent.keyboard('{ArrowDown}{Enter}')],
])('no match says so, Enter neither chooses nor sends, and %s shows the whole list', async (_how, showAll) => {
  const NONE = 'Não achamos esse banco. Tente um nome mais curto ou veja a lista inteira.';
  const { saved } = await show(FORM);
  await userEvent.click(bank());
  await userEvent.keyboard('zzz{Enter}');
  expect(bank()).toHaveValue('zzz');
  expect(active()).toBeNull();
  expect(screen.getByText(NONE, { selector: '.combobox__empty' })).toBeInTheDocument();
  expect(await screen.findByText(NONE, { selector: '[role=status]' })).toBeInTheDocument();
  expect(options()).toEqual(['Ver todos os bancos']);
  await showAll();
  expect(bank()).toHaveValue('');
  expect(bank()).toHaveFocus();
  expect(options()).toHaveLength(4);
  expect(saved()).toEqual([]);
});

test('Escape closes and brings the chosen bank back', async () => {
  const { saved } = await show(FORM);
  await userEvent.click(bank());
  expect(active()).toBe('Nubank');
  await userEvent.keyboard('xyz{Escape}');
  expect(bank()).toHaveValue('Nubank');
  expect(options()).toEqual([]);
  await userEvent.click(submit());
  expect(saved()).toMatchObject([{ bank: '260' }]);
});

const UNCLEAR = 'Toque no seu banco na lista.';
const NONE = 'Não achamos esse banco.';

test.each<[string, object, string, string, (string | undefined)?, string?]>([
  ['takes a bank that the text means', {}, 'nubanck', 'Nubank', '260'],
  ['takes it in the place of another', FORM, 'brasil', 'Banco do Brasil', '001'],
  ['takes the row that the arrows highlight', FORM, 'credi{ArrowDown}', 'Credi Sul', '756'],
  ['takes no row that was only looked at', {}, '{ArrowDown}', ''],
  ['keeps a text that means several banks, and no bank is chosen', FORM, 'credi', 'credi', undefined, UNCLEAR],
  ['keeps a text that means none, and no bank is chosen', FORM, 'zzz', 'zzz', undefined, NONE],
  ['keeps it, too, while "Ver todos os bancos" is highlighted', {}, 'zzz{ArrowDown}', 'zzz', undefined, NONE],
  ['takes the choice back if there is no text', FORM, ' ', ''],
])('leaving the field %s', async (_what, initial, keys, value, code, why) => {
  const { saved } = await show({ ...ADMIN, ...initial });
  await userEvent.click(bank());
  await userEvent.keyboard(keys);
  await userEvent.tab();
  expect(bank()).toHaveValue(value);
  expect(options()).toEqual([]);
  // The list's name of a bank that the field calls by its brand.
  const hint = value === 'Nubank' ? 'Nu Pagamentos' : 'Ex.: Itaú, Nubank';
  expect(bank()).toHaveAccessibleDescription(expect.stringContaining(why ?? hint));
  expect(bank().hasAttribute('aria-invalid')).toBe(why !== undefined);
  expect(status()?.textContent).toBe(code === undefined ? '' : `Banco escolhido: ${value}`);
  await userEvent.click(bank());
  expect(status()).not.toHaveTextContent('Banco escolhido');
  if (why !== undefined) await userEvent.keyboard('x');
  expect(bank()).not.toHaveAccessibleDescription(expect.stringContaining(why ?? 'Obrigatório'));
  await userEvent.click(submit());
  expect(saved()).toMatchObject(code === undefined ? [] : [{ bank: code, bankName: value }]);
  const description = code === undefined ? /^Obrigatório selecionar o banco!/ : new RegExp(`^${hint}`);
  expect(bank()).toHaveAccessibleDescription(description);
});
