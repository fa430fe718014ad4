import { expect, test } from 'vitest';
import { bankForm } from '../messages';
import { checkFields, eachField, FIELDS } from './fields';

const EMPTY = { bank: '', bankName: '', ...eachField(() => '') };

test('bank, name and CPF are required', () => {
  expect(checkFields({ ...EMPTY, name: '  ' })).toEqual({
    bank: 'required',
    name: 'required',
    cpf: 'required',
  });
  expect(checkFields({ ...EMPTY, bank: '260', name: 'B', cpf: '529.982.247-25' })).toEqual({});
  expect(checkFields({ ...EMPTY, bank: '260', name: 'B', cpf: '529.982.247-24' })).toEqual({ cpf: 'invalid' });
});

test('the words are those of the specification', () => {
  expect(bankForm.bankRequired).toBe('Obrigatório selecionar o banco!');
  expect(FIELDS.name.errors.required).toBe('Obrigatório preencher o nome completo do administrador da conta bancária!');
  expect(FIELDS.cpf.errors.required).toBe('Obrigatório preencher o CPF do administrador da conta bancária!');
  expect(FIELDS.cpf.errors.invalid).toBe('CPF inválido!');
});
