/** The list of all words: the texts of both sources with their names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rustTexts, typescriptTexts } from '../words.mjs';

test('texts of Rust have the name of their constant, function, module or problem', () => {
  const source = `//! "no text"
pub const ONE: &str = "Um \\
                       só";
pub fn two(firm: &str) -> String {
    match problem {
        Problem::TokenExpired => "Três",
    }
}
pub mod title {
    pub const FOUR: [&str; 2] = ["Quatro", "cinco"];
}
pub const SIX: &str = "Seis";
`;
  const found = [['ONE', 'Um só'], ['Problem::TokenExpired', 'Três'], ['title.FOUR', 'Quatro'], ['title.FOUR', 'cinco'], ['SIX', 'Seis']];
  assert.deepEqual(rustTexts(source), found);
});

test('texts of TypeScript have the name of their part and key', () => {
  const source = `/** 'no text' */
export const form = {
  title: 'Título',
  count: (count: number): string =>
    count === 1 ? 'um banco' : \`\${count} bancos\`,
} as const;
`;
  assert.deepEqual(typescriptTexts(source), [['form.title', 'Título'], ['form.count', 'um banco'], ['form.count', '{count} bancos']]);
});
