/** The sandbox's bank list, read from its source: a list as long and as varied as a real one. */
import { readFileSync } from 'node:fs';
import type { BankOption } from '../generated/types';

// Tests run in islands-react/ (vitest.config.ts).
const SOURCE = '../crates/sandbox/src/banks.rs';

export function sandboxBanks(): BankOption[] {
  const source = readFileSync(SOURCE, 'utf8');
  const known = [...table(source, 'KNOWN').matchAll(/\(\s*"([^"]+)",\s*"([^"]+)",?\s*\)/g)];
  const texts = (name: string) => [...table(source, name).matchAll(/"([^"]+)"/g)].map(([, text = '']) => text);
  const places = texts('PLACES');
  const invented = texts('COOPERATIVES').flatMap((of) => places.map((place) => `${of} ${place}`));
  return [
    ...known.map(([, code = '', name = '']) => ({ code, name })),
    ...invented.map((name, at) => ({ code: String(9001 + at), name })),
  ];
}

/** The text between the brackets of a constant's array. */
function table(source: string, name: string): string {
  const [, after] = source.split(new RegExp(`const ${name}: [^=]+ = \\[`));
  if (after === undefined) throw new Error(`banks.rs without ${name}`);
  return after.slice(0, after.indexOf('];'));
}
