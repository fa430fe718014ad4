import { describe, expect, test } from 'vitest';
import { bankList } from './bank-list';
import { searchable, searchBanks } from './bank-search';
import { fold } from './bank-words';

const banks = searchable(
  bankList([
    { code: '001', name: 'Banco do Brasil S.A.' },
    { code: '341', name: 'ITAÚ UNIBANCO S.A.' },
    { code: '260', name: 'NU PAGAMENTOS - IP' },
    { code: '104', name: 'Caixa Econômica Federal' },
    { code: '077', name: 'Banco Inter' },
    { code: '999', name: 'Banco Internacional de Teste' },
    { code: '041', name: 'Banco do Estado do Rio Grande do Sul' },
    { code: '237', name: 'Banco Bradesco S.A.' },
    { code: '748', name: 'Banco Cooperativo Sicredi S.A.' },
    { code: '756', name: 'Banco Cooperativo Sicoob S.A.' },
    { code: '336', name: 'Banco C6 S.A.' },
    { code: '422', name: 'Banco Safra S.A.' },
    { code: '074', name: 'Banco J. Safra S.A.' },
    { code: '9001', name: 'Cooperativa de Crédito de Água Mansa' },
  ]),
);
const found = (query: string) => searchBanks(banks, query).banks.map(({ code }) => code);
const first = (query: string) => found(query)[0];
const meant = (query: string) => searchBanks(banks, query).certain?.code;

test('nothing typed finds nothing', () => {
  expect(found('  ')).toEqual([]);
  expect(meant(' - ')).toBeUndefined();
});

test.each([
  ['itau', ['341']],
  ['ITAÚ', ['341']],
  ['nubank', ['260']],
  ['Nu Pagamentos', ['260']],
  ['001', ['001']],
  ['cef', ['104']],
  ['economica', ['104']],
  ['inter', ['077', '999']],
  ['banrisul', ['041']],
  ['rio grande', ['041']],
  ['brasil banco', ['001', '756']],
  ['agua mansa', ['9001']],
  ['zzz', []],
])('%j finds %j', (query, codes) => {
  expect(found(query)).toEqual(codes);
});

describe('forgives', () => {
  test.each([
    ['spaces', 'nu bank', '260'],
    ['spaces left out', 'bancodobrasil', '001'],
    ['the kind of account', 'itau empresas', '341'],
    ['what all names have', 'banco nubank s.a.', '260'],
    ['the same behind a name without spaces', 'c6bank empresas', '336'],
    ['a word that no name has', 'bradesco net empresa', '237'],
    ['a wrong letter', 'bradezco', '237'],
    ['a missing letter', 'bradsco', '237'],
    ['a letter too many', 'nubanck', '260'],
    ['swapped letters', 'bradseco', '237'],
    ['a typo in an unfinished word', 'bradsec', '237'],
    ['a typo in one of two words', 'itau unibamco', '341'],
    ['a former name', 'bancoob', '756'],
    ['leading zeros', '77', '077'],
  ])('%s: %j', (_what, query, code) => {
    expect(first(query)).toBe(code);
  });

  test('but no typo in a short word, and none where a name has the word', () => {
    expect(found('itua')).toEqual([]);
    expect(found('safra')).toEqual(['422', '074']);
    expect(found('sicoob')).toEqual(['756']);
  });

  test('but not where only such words are left', () => {
    expect(found('banco').length).toBeGreaterThan(5);
    expect(found('banco')).not.toContain('9001');
    expect(found('cooperativa')).toEqual(['9001']);
    expect(found('s')).toEqual(['756', '748', '422', '041', '074']);
  });
});

describe('the order', () => {
  test('brands that begin so are before names that contain it, typos come last', () => {
    expect(found('in')[0]).toBe('077');
    expect(found('brasil')[0]).toBe('001');
    expect(found('sicrd').length).toBeGreaterThan(0);
    expect(found('sicob')).toEqual(['756']);
  });

  test('of the same rank the most used are first, then brands', () => {
    expect(found('banco ')[0]).toBe('001');
    expect(found('saffra')).toEqual(['422', '074']);
  });

  test('a code of the list is before the COMPE code of a brand', () => {
    const odd = searchable(
      bankList([
        { code: '7', name: 'Nubank' },
        { code: '260', name: 'Banco de Outro Lugar' },
      ]),
    );
    expect(searchBanks(odd, '260').banks.map(({ code }) => code)).toEqual(['260', '7']);
    expect(searchBanks(odd, '260').certain?.code).toBe('260');
    const named = searchable(bankList([{ code: 'NU-01', name: 'Nubank' }]));
    expect(searchBanks(named, 'nu01').banks).toHaveLength(1);
  });
});

describe('what a text means without a look at the list', () => {
  test.each([
    ['a brand', 'inter', '077'],
    ['a nickname', 'bb', '001'],
    ['a code', '341', '341'],
    ['the start of a brand that is used more than the others', 'int', '077'],
    ['a word', 'rio grande', '041'],
    ['a typo, if nothing else is like it', 'bradezco', '237'],
    ['an inner part, if nothing else has it', 'adesc', '237'],
    ['an inner part that several have', 'afra', undefined],
    ['the start of a brand before a word of another', 'brasi', '001'],
    ['the start of two brands', 'sic', undefined],
    ['the start of a word that all have', 'ban', undefined],
    ['two letters', 'br', undefined],
    ['a code that goes on', '900', undefined],
    ['a part of the words', 'bradesco exclusive', undefined],
    ['nothing', 'zzz', undefined],
  ])('%s: %j', (_what, query, code) => {
    expect(meant(query)).toBe(code);
  });

  test('several typos mean none', () => {
    const alike = searchable(
      bankList([
        { code: '1', name: 'Banco Aurora' },
        { code: '2', name: 'Banco Aurola' },
      ]),
    );
    expect(searchBanks(alike, 'auroza').banks).toHaveLength(2);
    expect(searchBanks(alike, 'auroza').certain).toBeUndefined();
  });
});

test('folding drops accents, case and punctuation', () => {
  expect(fold('  Itaú-Unibanco S.A. ')).toBe('itau unibanco s a');
});
