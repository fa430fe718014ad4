/** Replaces a section of docs/performance.md in place, or adds it at the end. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../docs/performance.md', import.meta.url));

export function putSection(title, text) {
  const [head, ...sections] = readFileSync(FILE, 'utf8').split(/^## /m);
  const section = `${title}\n\n${text.trim()}\n\n`;
  const at = sections.findIndex((one) => one.startsWith(`${title}\n`));
  sections.splice(at < 0 ? sections.length : at, 1, section);
  writeFileSync(FILE, `${[head, ...sections].join('## ').trimEnd()}\n`);
  console.log(`✓ docs/performance.md: ${title}`);
}

export const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
