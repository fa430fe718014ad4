import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { BankFormContext } from '../generated/BankFormContext';
import { answerActions, CONTEXT, putContext, putHost, watchLocation } from '../testing/page';
import { mount } from './index';

const EMPTY: BankFormContext = { clientCpfcnpj: '12ABC34501DE35', bank: '', adminName: '', adminCpfcnpj: '' };

const name = () => screen.getByRole('textbox', { name: 'Nome completo do administrador' });
const submit = () => screen.getByRole('button', { name: 'Avançar' });

async function fill() {
  await userEvent.type(screen.getByRole('combobox', { name: 'Banco' }), 'nubank{Enter}');
  await userEvent.type(name(), 'Bia Lima');
  await userEvent.type(screen.getByRole('textbox', { name: 'CPF do administrador' }), '52998224725');
}

afterEach(() => {
  delete window.vinculaToasts;
  document.body.innerHTML = '';
});

async function start(answers: Parameters<typeof answerActions>[0]) {
  const { replace } = watchLocation();
  const calls = answerActions({
    list_banks: [{ body: { banks: [{ code: '260', name: 'Nu Pagamentos' }] } }],
    ...answers,
  });
  putContext({ ...CONTEXT, bankForm: EMPTY });
  await act(async () => mount(putHost('<p>skeleton</p>')));
  return { replace, calls };
}

test('saves digits only and goes on', async () => {
  const { replace, calls } = await start({ save_bank_form: [{ body: { to: '/integration/widget' } }] });
  await fill();
  await userEvent.click(submit());
  expect(calls[1]?.input).toEqual({ session: 's-1', bank: '260', name: 'Bia Lima', cpf: '52998224725' });
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
  expect(window.vinculaToasts?.at(-1)?.message).toBe('Houve falha na requisição.');
  expect(name()).toHaveValue('Bia Lima');
  await userEvent.click(submit());
  expect(replace).toHaveBeenCalledExactlyOnceWith('/integration/widget');
});

test('a list of banks without a reply toasts and can be asked for again', async () => {
  const { calls } = await start({ list_banks: ['offline', { body: { banks: [] } }] });
  expect(window.vinculaToasts).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  expect(calls.map(({ action }) => action)).toEqual(['list_banks', 'list_banks']);
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('a list of banks that is refused leads away', async () => {
  const { replace } = await start({
    list_banks: [{ status: 502, body: { kind: 'navigate', to: '/error/token-expired' } }],
  });
  expect(replace).toHaveBeenCalledExactlyOnceWith('/error/token-expired');
});
