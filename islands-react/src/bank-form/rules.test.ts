import { expect, test } from 'vitest';
// The server's tests run against the same table (crates/domain/src/bank/tax_id.rs).
import cases from '../../../crates/domain/src/bank/cpf_cases.json' with { type: 'json' };
import { fieldErrors } from '../messages';
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
