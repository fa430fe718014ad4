import { expect, test } from 'vitest';
// The server's tests run against the same table (crates/domain/src/bank/tax_id.rs).
import cases from '../../../crates/domain/src/bank/cpf_cases.json' with { type: 'json' };
import { checkCpf, maskCpf, maskedCaret } from './cpf';

test.each([
  ['', ''],
  ['5', '5'],
  ['529', '529'],
  ['5299', '529.9'],
  ['529982', '529.982'],
  ['5299822', '529.982.2'],
  ['529982247', '529.982.247'],
  ['5299822472', '529.982.247-2'],
  ['52998224725', '529.982.247-25'],
  ['529982247259', '529.982.247-25'],
  ['CPF: 529.982.247-25 ', '529.982.247-25'],
  ['529 982 247 25', '529.982.247-25'],
  ['abc', ''],
  ['５２９', ''],
])('%j is shown as %j', (typed, shown) => {
  expect(maskCpf(typed)).toBe(shown);
});

test.each([
  // | marks the caret, in the typed and in the masked text
  ['529|', '529|'],
  ['5299|', '529.9|'],
  ['5|29.982', '5|29.982'],
  ['52|.982', '52|9.82'],
  ['1|529.982.247-25', '1|52.998.224-72'],
  ['529|982.247-25', '529|.982.247-25'],
  ['|529.982', '|529.982'],
])('the caret keeps its digit: %s', (typed, expected) => {
  const caret = typed.indexOf('|');
  const text = typed.replace('|', '');
  const masked = maskCpf(text);
  const at = maskedCaret(text, caret, masked);
  expect(`${masked.slice(0, at)}|${masked.slice(at)}`).toBe(expected);
});

test('the shared table is there', () => {
  expect(cases.length).toBeGreaterThan(15);
});

test.each(cases)('cpf $text: $verdict', ({ text, verdict }) => {
  expect(checkCpf(text) ?? text.replace(/\D/g, '')).toBe(verdict);
});
