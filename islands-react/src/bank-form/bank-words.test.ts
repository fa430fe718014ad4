import { expect, test } from 'vitest';
import { monogramOf } from './bank-words';

test.each([
  ['Banco do Brasil', 'BB'],
  ['Banco da Amazônia', 'BA'],
  ['Bradesco', 'BR'],
  ['BRB', 'BRB'],
  ['BTG Pactual', 'BTG'],
  ['C6 Bank', 'C6'],
  ['BNDES', 'BN'],
  ['Itaú', 'IT'],
  ['Mercado Pago', 'MP'],
  ['Efí', 'EF'],
  ['Cooperativa de Crédito de Água Mansa', 'AM'],
  ['Cooperativa de Crédito', 'CD'],
  ['', ''],
])('%j has %j', (label, letters) => {
  expect(monogramOf(label)).toBe(letters);
});
