// words.mjs [--check]: writes docs/words.md, every Portuguese text of the interface by screen, for somebody who reads
// Portuguese. With --check it fails if the file is not what the sources say, or if a text that spec.md quotes is missing.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(import.meta.dirname, '..');
const FILE = 'docs/words.md';
const REST = 'Em várias telas';

/** The texts that spec.md quotes: they must stay as they are. */
const LITERAL = new Set([
  'Autorizar integrações bancárias',
  'Banco',
  'Agência',
  'Conta',
  'Nome',
  'Nenhuma conta autorizada.',
  'Integrar novo banco',
  'Deseja cancelar todas as suas integrações?',
  'clique aqui',
  'Insira os dados do administrador da conta bancária que deseja integrar.',
  'Selecione o banco',
  'Avançar',
  'Tem certeza que deseja cancelar todas essas contas bancárias integradas?',
  'Cancelar todas integrações',
  'Integração concluída com sucesso!',
  'Integrar outra conta bancária',
  'Concluir integração',
  'Obrigatório selecionar o banco!',
  'Obrigatório preencher o nome completo do administrador da conta bancária!',
  'Obrigatório preencher o CPF do administrador da conta bancária!',
  'CPF inválido!',
  'Houve falha na requisição.',
]);

/** The screens in the order of the journey, and the names of their texts in words.rs and messages.ts. */
const SCREENS = [
  ['Entrada', /^(VALIDATING|CONTINUE$|ENTRY)/],
  ['Autorização', /^consent(Purposes)?\b/],
  ['Contas', /^(ACCOUNTS|LIST_|BANK$|AGENCY$|NUMBER$|NAME$|INTEGRATE$|CANCEL_QUESTION$|CLICK_HERE$|greeting$|account_count$|last_updated$|unanswered_since$|UPDATED_NOW$)/],
  ['Banco e administrador', /^(bankForm|FIELDS|NAME_IS_MISSING)\b/],
  ['Conexão com o banco', /^connect\b/],
  ['Sucesso', /^(SUCCESS|ANOTHER_ACCOUNT$|FINISH$|success)/],
  ['Cancelamento', /^(CANCEL|cancel)/],
  ['Erros', /^(Problem::|problem$|NOT_FOUND|NOTHING_SHARED$|ACCOUNTS_AS_BEFORE$|OPEN_ACCOUNTS$|SUPPORT_CODE$|COPY$|COPIED$)/],
  ['Servidor ocupado ou com falha', /^(BUSY|REFUSED|BROKEN|ISLAND_BROKEN$|RELOAD$|broken\b)/],
  ['Outro link em outra aba', /^OTHER_TAB/],
  ['Declaração de acessibilidade', /^accessibility\b/],
  ['Títulos da janela', /^title\b/],
  [REST, /./],
  ['Demonstração (sem cliente)', /^standIn\b/],
];

/** Names that the pattern of an earlier screen would take. */
const FIRST = ['Erros', 'Demonstração (sem cliente)'];

/** The texts of words.rs as [name, text]; a text in a function or an arm has its name. */
export function rustTexts(source) {
  const tokens =
    /\/\/[^\n]*|pub mod (?<module>\w+)|^(?<close>\})|pub (?:const|fn) (?<name>\w+)|(?<arm>Problem::\w+) =>|"(?<text>(?:[^"\\]|\\[\s\S])*)"/gm;
  const found = [];
  let [module, name] = ['', ''];
  for (const { groups } of source.matchAll(tokens)) {
    if (groups.module) module = `${groups.module}.`;
    else if (groups.close) [module, name] = ['', ''];
    else if (groups.name ?? groups.arm) name = module + (groups.name ?? groups.arm);
    else if (groups.text !== undefined) found.push([name, groups.text.replaceAll(/\\\n\s*/g, '').replaceAll('\\"', '"')]);
  }
  return found;
}

/** The texts of messages.ts as [name, text]. */
export function typescriptTexts(source) {
  const tokens =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|^export const (?<part>\w+)|^ +(?<key>\w+):|'(?<plain>(?:[^'\\\n]|\\.)*)'|`(?<template>[^`]*)`/gm;
  const found = [];
  let [part, key] = ['', ''];
  for (const { groups } of source.matchAll(tokens)) {
    if (groups.part) part = groups.part;
    else if (groups.key) key = groups.key;
    const text = groups.plain ?? groups.template;
    if (text !== undefined) found.push([`${part}.${key}`, text.replaceAll('${', '{').replaceAll("\\'", "'")]);
  }
  return found;
}

function screenOf(name) {
  const [before, others] = [SCREENS.filter(([screen]) => FIRST.includes(screen)), SCREENS];
  return [...before, ...others].find(([, names]) => names.test(name))[0];
}

function document() {
  const read = (path) => readFileSync(join(ROOT, path), 'utf8');
  const texts = [
    ...rustTexts(read('crates/domain/src/words.rs').split('#[cfg(test)]')[0]),
    ...typescriptTexts(read('islands-react/src/messages.ts')),
    // Its code quotes words, too, but no sentences.
    ...typescriptTexts(read('islands-react/src/bank-form/fields.tsx')).filter(([, text]) => /^\p{Lu}/u.test(text)),
  ].filter(([, text]) => /\p{L}{2}/u.test(text.replaceAll(/\{.*?\}/g, '')));
  const missing = [...LITERAL].filter((literal) => !texts.some(([, text]) => text === literal));
  if (missing.length > 0) throw new Error(`spec.md quotes texts that are not there: ${missing.join(' · ')}`);
  const section = ([screen]) => {
    const rows = texts.filter(([name]) => screenOf(name) === screen);
    const unique = [...new Map(rows.map((row) => [row.join('\n'), row])).values()];
    const lines = unique.map(([name, text]) => `| ${text.replaceAll('|', '\\|')} | ${LITERAL.has(text) ? 'sim' : ''} | \`${name}\` |`);
    return lines.length === 0 ? [] : [`## ${screen}`, ['| texto | literal | nome |', '|---|---|---|', ...lines].join('\n')];
  };
  const intro = [
    '# Todos os textos da interface',
    'Gerado por `make words` a partir de `crates/domain/src/words.rs` e `islands-react/src/messages.ts`; mude lá, não aqui.',
    '"literal": a especificação cita o texto, que fica como está. `{…}` é preenchido: o nome do cliente, do escritório, um número.',
  ];
  return `${[intro[0], `${intro[1]}\n${intro[2]}`, ...SCREENS.flatMap(section)].join('\n\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path, now] = [join(ROOT, FILE), document()];
  if (!process.argv.includes('--check')) writeFileSync(path, now);
  else if (readFileSync(path, 'utf8') !== now) {
    console.error(`✗ ${FILE} is not what the sources say: run 'make words' and commit`);
    process.exit(1);
  }
}
