import { expect, test } from 'vitest';
import { beginsDespiteTypo } from './one-typo';

test.each([
  ['bradesco', 'bradesco', true],
  ['bradesco', 'brade', true],
  ['bradesco', 'bradezco', true],
  ['bradesco', 'bradsco', true],
  ['bradesco', 'braddesco', true],
  ['bradesco', 'bradseco', true],
  ['bradesco', 'bradsec', true],
  ['bradesco', 'bradescoo', true],
  ['bradesco', 'pradesco', true],
  ['bradesco', 'rbadesco', true],
  ['bradesco', 'radesco', true],
  ['bradesco', 'bradesoc', true],
  ['bradesco', 'brasdeco', false],
  ['bradesco', 'brazezco', false],
  ['bradesco', 'bradescooo', false],
  ['bradesco', 'santander', false],
  ['itau', 'itua', false],
  ['itau', 'itauu', true],
  ['sicoob', 'sicredi', false],
])('%j is begun by %j: %j', (word, typed, begins) => {
  expect(beginsDespiteTypo(word, typed)).toBe(begins);
});
