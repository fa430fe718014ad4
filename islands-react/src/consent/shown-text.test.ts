import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { consentTexts } from '../prerender';

const FOLDER = join(import.meta.dirname, '../../../docs/consent');

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const kept = () => readdirSync(FOLDER).filter((name) => name.endsWith('.txt'));

test('today’s texts are kept in docs/consent', () => {
  const missing = Object.values(consentTexts()).filter((text) => !kept().includes(`${sha256(text)}.txt`));
  expect(missing, "the consent's words changed: run 'node scripts/consent-text.mjs', commit docs/consent").toEqual([]);
});

test('no kept text has changed: each has its own SHA-256 as name, and its first digits are its alone', () => {
  for (const name of kept()) {
    expect(name, 'somebody agreed to this text: restore it').toBe(`${sha256(readFileSync(join(FOLDER, name)))}.txt`);
  }
  expect(new Set(kept().map((name) => name.slice(0, 8))).size).toBe(kept().length);
});

test('a text has the firm’s name and the client’s as places, and no token of the template', () => {
  const { company = '', individual = '' } = consentTexts();
  for (const text of [company, individual]) {
    expect(text).toContain('[ ] Autorizo [nome do escritório] a ler estes dados pelo Open Finance.');
    expect(text).toContain('Para [nome do cliente] [CPF ou CNPJ do cliente]\n');
    expect(text).not.toMatch(/[{}<>&]/);
  }
  expect(company).toContain('Finalidade: contabilidade da sua empresa. Prazo: indeterminado, até você cancelar.\n');
  expect(individual).toContain('Finalidade: sua contabilidade. Prazo: indeterminado, até você cancelar.\n');
});
