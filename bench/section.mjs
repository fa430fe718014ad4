/** Replaces a section of docs/performance.md in place, or adds it before the notes at the end. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
const NOTES = 'What holds back';

export function putSection(title, text) {
  const [head, ...sections] = readFileSync(FILE, 'utf8').split(/^## /m);
  const section = `${title}\n\n${text.trim()}\n\n`;
  const index = (name) => sections.findIndex((one) => one.startsWith(`${name}\n`));
  const [at, notes] = [index(title), index(NOTES)];
  if (at >= 0) sections[at] = section;
  else sections.splice(notes < 0 ? sections.length : notes, 0, section);
  writeFileSync(FILE, `${[head, ...sections].join('## ').trimEnd()}\n`);
  console.log(`✓ docs/performance.md: ${title}`);
}

export const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
