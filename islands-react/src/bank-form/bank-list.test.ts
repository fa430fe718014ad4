import { describe, expect, test } from 'vitest';
import { sandboxBanks } from '../testing/sandbox-banks';
import { BRANDS, MOST_USED } from './bank-brands';
import { bankList } from './bank-list';
import { fold } from './bank-words';

const only = (code: string, name: string) => bankList([{ code, name }])[0];

describe('the brand', () => {
  test.each([
    ['260', 'Nu Pagamentos S.A. - Instituição de Pagamento', 'Nubank'],
    ['260', 'NU PAGAMENTOS - IP', 'Nubank'],
    ['260', 'Nu Pagamentos S.A (Nubank)', 'Nubank'],
    ['1', 'Banco Do Brasil S.A (BB)', 'Banco do Brasil'],
    ['001', 'BCO DO BRASIL S.A.', 'Banco do Brasil'],
    ['104', 'CAIXA ECONOMICA FEDERAL', 'Caixa'],
    ['655', 'Banco Votorantim S.A.', 'BV'],
    ['041', 'Banrisul – Banco do Estado do Rio Grande do Sul S.A.', 'Banrisul'],
    ['756', 'Banco Cooperativo do Brasil S.A. - Bancoob', 'Sicoob'],
    ['601', 'Itaú Empresas', 'Itaú'],
    ['nu-42', 'Nu Pagamentos S.A. - Instituição de Pagamento', 'Nubank'],
  ])('%s %j is %s', (code, name, label) => {
    expect(only(code, name)?.label).toBe(label);
  });

  test.each([
    ['260', 'Banco de Outro Lugar', 'a code may be another than COMPE'],
    ['473', 'Banco Caixa Geral - Brasil S.A.', 'a word of the name is not the name'],
    ['999', 'Banco Internacional de Teste', 'nor is its beginning'],
    ['184', 'Banco Itaú BBA S.A.', 'nor the name with more behind it'],
    ['9002', 'Cooperativa de Crédito do Brasil', 'nor what legal forms leave of it'],
  ])('%s %j has none: %s', (code, name) => {
    expect(only(code, name)).toMatchObject({ label: name, fullName: undefined });
  });

  test('is shown once, for the bank that fits best, whatever the order', () => {
    const banks = [
      { code: '386', name: 'Nu Financeira S.A.' },
      { code: '260', name: 'Nu Pagamentos S.A.' },
      { code: '413', name: 'Banco BV S.A.' },
      { code: '655', name: 'Banco Votorantim S.A.' },
    ];
    for (const list of [banks, [...banks].reverse()]) {
      expect(bankList(list).map(({ code, label }) => `${code} ${label}`)).toEqual([
        '260 Nubank',
        '413 Banco BV S.A.',
        '655 BV',
        '386 Nu Financeira S.A.',
      ]);
    }
  });
});

test("the list's own name is beside the brand where it says more", () => {
  expect(only('260', 'Nu Pagamentos S.A.')?.fullName).toBe('Nu Pagamentos S.A.');
  expect(only('104', 'Caixa Econômica Federal')?.fullName).toBe('Caixa Econômica Federal');
  expect(only('341', 'Itaú Empresas')?.fullName).toBe('Itaú Empresas');
  for (const name of ['Banco Bradesco S.A.', 'BRADESCO', 'Bradesco']) {
    expect(only('237', name)?.fullName).toBeUndefined();
  }
});

describe('the order', () => {
  test('has eight of the most used first, then all others from A to Z by what is shown', () => {
    const list = bankList(sandboxBanks());
    const [mostUsed, others] = [list.slice(0, 8), list.slice(8)];
    expect(mostUsed.every(({ isFirst }) => isFirst) && others.every(({ isFirst }) => !isFirst)).toBe(true);
    expect(mostUsed.map(({ label }) => label)).toEqual([
      ...['Itaú', 'Bradesco', 'Banco do Brasil', 'Caixa', 'Santander', 'Nubank', 'Inter', 'Sicoob'],
    ]);
    expect(list.length).toBe(sandboxBanks().length);
    const labels = others.map(({ label }) => label);
    expect(labels).toEqual([...labels].sort(new Intl.Collator('pt-BR', { numeric: true }).compare));
    expect(labels.indexOf('Efí')).toBeLessThan(labels.indexOf('InfinitePay'));
    expect(labels).toContain('Sicredi');
  });

  test('moves up where one of the eight is missing', () => {
    const list = bankList(sandboxBanks().filter(({ code }) => code !== '077'));
    expect(list.slice(0, 8).map(({ label }) => label)).toContain('Sicredi');
  });
});

describe('the table of brands', () => {
  test('has every brand and code once, with names as they are compared', () => {
    for (const of of ['code', 'name'] as const) {
      expect(new Set(BRANDS.map((brand) => brand[of])).size).toBe(BRANDS.length);
    }
    const names = BRANDS.flatMap((brand) => brand.registered);
    for (const { code, registered, nicknames } of BRANDS) {
      expect(code).toMatch(/^\d{3}$/);
      for (const name of [...registered, ...nicknames]) expect(fold(name)).toBe(name);
    }
    expect(new Set(names).size).toBe(names.length);
  });

  test('has the most used', () => {
    const codes = BRANDS.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(MOST_USED));
  });
});
