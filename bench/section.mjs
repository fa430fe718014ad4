/** Each report owns one part of a document, between two comments; what stands around it stays. */
import { readFileSync, writeFileSync } from 'node:fs';

export function writeSection(file, name, text) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const whole = readFileSync(file, 'utf8');
  const [before, rest] = cut(whole, begin);
  const after = rest === undefined ? '\n' : (cut(rest, end)[1] ?? '\n');
  const head = rest === undefined ? `${whole.trimEnd()}\n\n` : before;
  writeFileSync(file, `${head}${begin}\n\n${text.trim()}\n\n${end}${after}`);
}

export const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function cut(text, at) {
  const found = text.indexOf(at);
  return found < 0 ? [text] : [text.slice(0, found), text.slice(found + at.length)];
}
