/** Runs every attack and fault of which `make check` tries a sample, and prints a table of the results. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const log = `${root}target/tests`;
const report = `${log}/attack-browser.json`;
const env = { ...process.env, ATTACK: 'all' };

/** The line that a Rust test prints: see `src/tests/attacks/sample.rs`. */
const AREA = /attack: (?<area>.+): (?<cases>\d+) cases, (?<surprises>\d+) surprises$/gm;

/** Runs a command with its output shown; returns its standard output, and whether it succeeded. */
function run(command, args, more = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'inherit'] });
    const printed = [];
    child.stdout.on('data', (chunk) => {
      process.stdout.write(chunk);
      printed.push(chunk);
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve({ text: Buffer.concat(printed).toString(), well: code === 0 }));
  });
}

/** The tests of Playwright's report, those of inner suites too. */
const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];

/** Each screen of a test is a case. */
function browserRow() {
  const row = { area: 'markup in Chromium, screens', cases: 0, surprises: 0 };
  for (const { ok, tests } of JSON.parse(readFileSync(report, 'utf8')).suites.flatMap(specsOf)) {
    const screens = tests.flatMap(({ annotations }) => annotations).filter(({ type }) => type === 'screens');
    row.cases += screens.reduce((sum, { description }) => sum + Number(description), 0) || 1;
    row.surprises += ok ? 0 : 1;
  }
  return row;
}

mkdirSync(log, { recursive: true });
const begun = Date.now();
const cargo = ['test', '--locked', '--workspace', '--target', 'host-tuple', '--lib', 'attack', '--', '--nocapture'];
const rust = await run('cargo', cargo);
const browser = await run('npm', ['--prefix', 'end2end', 'test', '--', 'injection', '--reporter=line,json'], {
  PLAYWRIGHT_JSON_OUTPUT_NAME: report,
});

const rows = [...rust.text.matchAll(AREA)].map(({ groups }) => ({
  area: groups.area,
  cases: Number(groups.cases),
  surprises: Number(groups.surprises),
}));
rows.sort((a, b) => a.area.localeCompare(b.area));
rows.push(browserRow());
const sum = (field) => rows.reduce((total, row) => total + row[field], 0);
rows.push({ area: 'all', cases: sum('cases'), surprises: sum('surprises') });
console.log(`\n| area | cases | surprises |\n|---|---:|---:|`);
for (const { area, cases, surprises } of rows) console.log(`| ${area} | ${cases.toLocaleString('en')} | ${surprises} |`);
console.log(`\n${Math.round((Date.now() - begun) / 1000)} s`);
if (!rust.well || !browser.well || rows.length < 3) {
  console.error('✗ not everything held, or not everything was tried: see above');
  process.exitCode = 1;
}
