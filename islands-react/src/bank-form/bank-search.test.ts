import { expect, test } from 'vitest';
import { fold, searchable, searchBanks } from './bank-search';
import { HUES, monogramOf } from './monogram';

const banks = searchable([
  { code: '001', name: 'Banco do Brasil S.A.' },
  { code: '341', name: 'ITAÚ UNIBANCO S.A.' },
  { code: '260', name: 'NU PAGAMENTOS - IP' },
  { code: '104', name: 'Caixa Econômica Federal' },
  { code: '077', name: 'Banco Inter' },
  { code: '999', name: 'Banco Internacional de Teste' },
  { code: '041', name: 'Banco do Estado do Rio Grande do Sul' },
]);
const found = (query: string) => searchBanks(banks, query).map(({ code }) => code);

test('nothing typed gives all, in the order of the list', () => {
  expect(found('  ')).toEqual(['001', '341', '260', '104', '077', '999', '041']);
});

test.each([
  ['itau', ['341']],
  ['ITAÚ', ['341']],
  ['nubank', ['260']],
  ['Nu Pagamentos', ['260']],
  ['260', ['260']],
  ['1', ['001', '104']],
  ['001', ['001']],
  ['cef', ['104']],
  ['economica', ['104']],
  ['inter', ['077', '999']],
  ['banrisul', ['041']],
  ['rio grande', ['041']],
  ['brasil banco', ['001']],
  ['zzz', []],
])('%j finds %j', (query, codes) => {
  expect(found(query)).toEqual(codes);
});

test('folding drops accents, case and punctuation', () => {
  expect(fold('  Itaú-Unibanco S.A. ')).toBe('itau unibanco s a');
});

test('a bank of another name is not taken for a brand that it only begins like', () => {
  expect(found('077')).toEqual(['077']);
});

test('monograms are two telling letters in a stable colour', () => {
  const itau = { code: '341', name: 'Banco Itaú Unibanco S.A.' };
  expect(monogramOf(itau)).toEqual(monogramOf({ ...itau }));
  expect(monogramOf(itau).letters).toBe('IU');
  expect(monogramOf({ code: '260', name: 'Nubank' }).letters).toBe('NU');
  expect(monogramOf({ code: '', name: '' }).hue).toBeLessThan(HUES);
});
