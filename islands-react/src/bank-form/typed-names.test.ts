import { expect, test } from 'vitest';
import { sandboxBanks } from '../testing/sandbox-banks';
import typedNames from './typed-names.json' with { type: 'json' };

/*
 * 200 ways in which people type the names of 40 banks: five each, three of which the search may be tuned with. The
 * held-out two were written before the search that they judge; do not mend the search by them.
 */

const BANKS = sandboxBanks();

type Row = { code: string; text: string };

const parts: Record<'tuning' | 'heldOut', Row[]> = {
  tuning: typedNames.flatMap(({ code, tuning }) => tuning.map((text) => ({ code, text }))),
  heldOut: typedNames.flatMap(({ code, heldOut }) => heldOut.map((text) => ({ code, text }))),
};

test('the table has 40 banks of the list, with three and two ways of typing each', () => {
  expect(typedNames).toHaveLength(40);
  expect([parts.tuning.length, parts.heldOut.length]).toEqual([120, 80]);
  const texts = [...parts.tuning, ...parts.heldOut].map(({ text }) => text);
  expect(new Set(texts).size).toBe(200);
  for (const { code } of typedNames) expect(BANKS.map((bank) => bank.code)).toContain(code);
});
