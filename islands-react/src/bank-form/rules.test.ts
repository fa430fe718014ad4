import { describe, expect, test } from 'vitest';
// The table that the server's rule is tested with too (src/bank/tax_id.rs).
import cases from '../../../src/bank/cpf_cases.json' with { type: 'json' };
import { fieldErrors } from '../messages';
import { locksOf } from './locks';
import { checkFields, parseCpf } from './rules';

test('the shared table is there', () => {
  expect(cases.length).toBeGreaterThan(15);
});

test.each(cases)('cpf $text: $verdict', ({ text, verdict }) => {
  const cpf = parseCpf(text);
  expect(cpf.ok ? cpf.digits : cpf.error).toBe(verdict);
});

test('every field is required', () => {
  expect(checkFields({ bank: '', name: '  ', cpf: '' })).toEqual({
    bank: 'required',
    name: 'required',
    cpf: 'required',
  });
  expect(checkFields({ bank: '260', name: 'B', cpf: '529.982.247-25' })).toEqual({});
  expect(checkFields({ bank: '260', name: 'B', cpf: '529.982.247-24' })).toEqual({ cpf: 'invalid' });
});

test('the words are those of the specification', () => {
  expect(fieldErrors.bank.required).toBe('Obrigatório selecionar o banco!');
  expect(fieldErrors.name.required).toBe('Obrigatório preencher o nome completo do administrador da conta bancária!');
  expect(fieldErrors.cpf.required).toBe('Obrigatório preencher o CPF do administrador da conta bancária!');
  expect(fieldErrors.cpf.invalid).toBe('CPF inválido!');
});

describe('read-only fields', () => {
  const form = { clientCpfcnpj: '529.982.247-25', bank: '', adminName: 'Ana', adminCpfcnpj: '52998224725' };

  test('the client is the administrator', () => {
    expect(locksOf('Ana', form)).toEqual({ name: true, cpf: true });
  });

  test('somebody else is', () => {
    expect(locksOf('Padaria', { ...form, adminCpfcnpj: '11144477735' })).toEqual({ name: false, cpf: false });
  });

  test('nothing saved fixes nothing, even if nothing is known of the client', () => {
    expect(locksOf('', { clientCpfcnpj: '', bank: '', adminName: '', adminCpfcnpj: '' })).toEqual({
      name: false,
      cpf: false,
    });
  });

  test('a CNPJ in the place of the CPF stays open: it could never pass', () => {
    const cnpj = '12.ABC.345/01DE-35';
    expect(locksOf('Ana', { ...form, clientCpfcnpj: cnpj, adminCpfcnpj: '12ABC34501DE35' }).cpf).toBe(false);
  });
});
