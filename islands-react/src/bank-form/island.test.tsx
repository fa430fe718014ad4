import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { BankFormContext } from '../generated/types';
import { bankFormScreens } from '../prerender';
import {
  answerActions,
  CONTEXT,
  mountIsland,
  putContext,
  putHost,
  renderTemplate,
  toasts,
  unmountIslands,
  watchLocation,
} from '../testing/page';
import { eachField } from './fields';
import { mount } from './index';

const EMPTY: BankFormContext = {
  bank: '',
  bankName: '',
  fixed: [],
  bankIsAskedAgain: true,
  clientIsCompany: true,
  ...eachField(() => ''),
};

const BANKS = [{ code: '260', name: 'Nu Pagamentos' }];

const name = () => screen.getByRole('textbox', { name: 'Nome completo do administrador' });
const submit = () => screen.getByRole('button', { name: 'Avançar' });

async function fill() {
  await userEvent.type(screen.getByRole('combobox', { name: 'Banco' }), 'nubank{Enter}');
  await userEvent.type(name(), 'Bia Lima');
  await userEvent.type(screen.getByRole('textbox', { name: 'CPF do administrador' }), '52998224725');
}

afterEach(() => {
  document.body.innerHTML = '';
});

/** The form as the server sends it, in its host. */
function serve(bankForm: BankFormContext, session = CONTEXT.session): HTMLElement {
  putContext({ ...CONTEXT, session, bankForm });
  const screenName = [...bankForm.fixed, bankForm.bankIsAskedAgain ? 'asked-again' : 'asked-once'].join('-');
  const { name, cpf } = bankForm;
  return putHost(renderTemplate(bankFormScreens()[screenName], { name, cpf, customerName: CONTEXT.customerName }));
}

async function start(answers: Parameters<typeof answerActions>[0]) {
  const { replace } = watchLocation();
  const calls = answerActions({
    list_banks: [{ body: { banks: BANKS } }],
    ...answers,
  });
  await mountIsland(mount, serve(EMPTY));
  return { replace, calls };
}

test('saves what was typed and goes on', async () => {
  const { replace, calls } = await start({ save_bank_form: [{ body: { to: '/integration/widget' } }] });
  await fill();
  await userEvent.click(submit());
  expect(calls[1]?.input).toMatchObject({
    session: 's-1',
    bank: '260',
    bankName: 'Nubank',
    name: 'Bia Lima',
    cpf: '529.982.247-25',
  });
  expect(replace).toHaveBeenCalledExactlyOnceWith('/integration/widget');
});

test('shows what the server refuses', async () => {
  const fields = [
    { field: 'bank', code: 'invalid' },
    { field: 'cpf', code: 'invalid' },
  ];
  const { replace } = await start({ save_bank_form: [{ status: 422, body: { kind: 'invalid', fields } }] });
  await fill();
  await userEvent.click(submit());
  expect(screen.getByText('Obrigatório selecionar o banco!')).toBeInTheDocument();
  expect(screen.getByText('CPF inválido!')).toBeInTheDocument();
  expect(screen.getByText('Há 2 campos a corrigir.')).toBeInTheDocument();
  expect(replace).not.toHaveBeenCalled();
});

test('without a reply toasts, stays and keeps what was typed', async () => {
  const { replace } = await start({ save_bank_form: ['offline', { body: { to: '/integration/widget' } }] });
  await fill();
  await userEvent.click(submit());
  expect(toasts()).toEqual(['Houve falha na requisição.']);
  expect(name()).toHaveValue('Bia Lima');
  await userEvent.click(submit());
  expect(replace).toHaveBeenCalledExactlyOnceWith('/integration/widget');
});

test('a list of banks without a reply toasts and can be asked for again', async () => {
  const { calls } = await start({ list_banks: ['offline', { body: { banks: BANKS } }] });
  expect(toasts()).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  expect(calls.map(({ action }) => action)).toEqual(['list_banks', 'list_banks']);
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
});

test('a list of banks that is refused leads away, and says nothing on the way', async () => {
  const { replace } = await start({
    list_banks: [{ status: 502, body: { kind: 'navigate', to: '/error/token-expired' } }],
  });
  expect(replace).toHaveBeenCalledExactlyOnceWith('/error/token-expired');
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  expect(screen.queryByRole('button', { name: 'Tentar de novo' })).not.toBeInTheDocument();
});

describe('a reload', () => {
  const bank = () => screen.getByRole('combobox', { name: 'Banco' });
  const cpf = () => screen.getByRole('textbox', { name: 'CPF do administrador' });
  const SAVED = { ...EMPTY, bank: '001', bankName: 'Banco do Brasil', name: 'Ana Antes', cpf: '111.444.777-35' };

  /** Mounts the form anew. */
  async function reload(bankForm: BankFormContext, session = 's-1') {
    await unmountIslands();
    document.body.innerHTML = '';
    answerActions({
      list_banks: [{ body: { banks: [...BANKS, { code: '001', name: 'Banco do Brasil' }] } }],
      save_bank_form: [{ body: { to: '/integration/widget' } }],
    });
    await mountIsland(mount, serve(bankForm, session));
  }

  test('keeps bank and name before those of the session, and the CPF nowhere', async () => {
    watchLocation();
    await reload(SAVED);
    expect([bank(), name()].map((field) => (field as HTMLInputElement).value)).toEqual([
      'Banco do Brasil',
      'Ana Antes',
    ]);
    await userEvent.clear(bank());
    await fill();
    expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/529|982|247/);
    await reload(SAVED);
    expect(bank()).toHaveValue('Nubank');
    expect(name()).toHaveValue('Ana AntesBia Lima');
    expect(cpf()).toHaveValue('111.444.777-35');
  });

  test('keeps them for their session alone', async () => {
    await reload(EMPTY);
    await fill();
    await reload(EMPTY, 's-2');
    expect([bank(), name()].map((field) => (field as HTMLInputElement).value)).toEqual(['', '']);
  });

  test('leaves a read-only name as the server says', async () => {
    await reload(EMPTY);
    await fill();
    await reload({ ...EMPTY, name: 'Ana da Firma', fixed: ['name'] });
    expect(name()).toHaveValue('Ana da Firma');
    expect(bank()).toHaveValue('Nubank');
  });

  test('keeps nothing that was sent', async () => {
    watchLocation();
    await reload(EMPTY);
    await fill();
    await userEvent.click(submit());
    await reload(EMPTY);
    expect([bank(), name()].map((field) => (field as HTMLInputElement).value)).toEqual(['', '']);
  });
});

describe('the prerendered form', () => {
  const FIXED: [BankFormContext['fixed'], boolean][] = [
    [[], true],
    [['name'], true],
    [['cpf'], false],
    [['name', 'cpf'], false],
  ];

  test.each(FIXED)(
    'with %j fixed: hydration keeps every node, without errors from React',
    async (fixed, bankIsAskedAgain) => {
      const errors = vi.spyOn(console, 'error');
      answerActions({ list_banks: [new Promise(() => {})] });
      const host = serve({ ...EMPTY, name: 'Bia & Cia', cpf: '529.982.247-25', fixed, bankIsAskedAgain });
      const before = [...host.querySelectorAll('*')];
      const texts = host.textContent;
      await mountIsland(mount, host);
      expect([...host.querySelectorAll('*')]).toEqual(before);
      expect(host.textContent).toBe(texts);
      expect(errors).not.toHaveBeenCalled();
      expect(host.innerHTML).not.toMatch(/\{\{|UNKNOWN|style=/);
      expect(screen.getByRole('textbox', { name: 'CPF do administrador' })).toHaveValue('529.982.247-25');
    },
  );

  test('what was typed before React has arrived stays, and is masked', async () => {
    const { calls } = await typedBefore({ name: 'Ana Lu', cpf: '52998224725' });
    expect(name()).toHaveValue('Ana Lu');
    expect(screen.getByRole('textbox', { name: 'CPF do administrador' })).toHaveValue('529.982.247-25');
    await userEvent.type(name(), 'cas');
    await userEvent.type(screen.getByRole('combobox', { name: 'Banco' }), 'nubank{Enter}');
    await userEvent.click(submit());
    expect(calls[1]?.input).toMatchObject({ name: 'Ana Lucas', cpf: '529.982.247-25' });
  });

  test('everything typed before React has arrived stays', async () => {
    const inputs = serve(EMPTY).querySelectorAll('input:not([role=combobox])');
    const names = [...inputs].map((input) => input.getAttribute('name') ?? '');
    expect(names).toEqual(expect.arrayContaining(['name', 'cpf']));
    document.body.innerHTML = '';
    await typedBefore(Object.fromEntries(names.map((field) => [field, '52998224725'])));
    for (const field of names) {
      const input = document.querySelector<HTMLInputElement>(`input[name="${field}"]`);
      expect(input?.value.replace(/\D/g, ''), field).toBe('52998224725');
    }
  });

  test('nothing can send it before: the CPF would go into the address', () => {
    const host = serve(EMPTY);
    expect(host.querySelectorAll('[type=submit], button:not([type])')).toHaveLength(0);
    expect(host.querySelectorAll('input').length).toBeGreaterThan(1);
  });

  async function typedBefore(texts: Record<string, string>) {
    watchLocation();
    const calls = answerActions({
      list_banks: [{ body: { banks: BANKS } }],
      save_bank_form: [{ body: { to: '/integration/widget' } }],
    });
    const host = serve(EMPTY);
    for (const [field, text] of Object.entries(texts)) {
      const input = host.querySelector(`input[name="${field}"]`);
      if (input !== null) fireEvent.input(input, { target: { value: text } });
    }
    await mountIsland(mount, host);
    return { calls };
  }
});
