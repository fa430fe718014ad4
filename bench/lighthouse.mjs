/**
 * Runs Lighthouse with its settings for phones on every screen of dist/ with its sandbox; writes docs/performance.md.
 * Fails if a score is below its goal. ONLY=part of a name runs fewer screens and writes nothing.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { BROWSER, chromium, SCREENS, startSandbox } from './sandbox.mjs';
import { putSection, table } from './section.mjs';

const LIGHTHOUSE = 'lighthouse@13.5.0';
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
/** Scores of 100. */
const GOALS = { performance: 100, accessibility: 100, 'best-practices': 100 };
const LONGEST_RUN_MS = 180_000;

const only = process.env.ONLY;
const { url, stop } = await startSandbox();
const folder = mkdtempSync(path.join(os.tmpdir(), 'lighthouse-'));
const port = await freePort();
const rows = [];
let [screens, slowest] = [0, 0];
const complaints = [];
for (const { name, go, failing, foreign } of SCREENS.filter((screen) => !only || screen.name.includes(only))) {
  const profile = mkdtempSync(path.join(folder, 'profile-'));
  const args = [...BROWSER.args, `--remote-debugging-port=${port}`];
  const context = await chromium.launchPersistentContext(profile, { ...BROWSER, args });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await go(page, url);
    const address = page.url();
    // The page's own polls would interfere; Lighthouse opens its own tab, in the same session.
    await page.goto('about:blank');
    const { categories, audits } = await measured(address, path.join(folder, 'report.json'));
    const scores = CATEGORIES.map((category) => Math.round((categories[category]?.score ?? 0) * 100));
    const shift = audits['cumulative-layout-shift'].numericValue;
    const paint = Math.round(audits['largest-contentful-paint'].numericValue);
    [screens, slowest] = [screens + 1, Math.max(slowest, paint)];
    const row = [name, ...scores.map(String), `${paint}`, shift.toFixed(4)];
    if (scores.some((score) => score < 100)) rows.push(row);
    console.log(row.join('  '));
    CATEGORIES.forEach((category, index) => {
      if (scores[index] >= GOALS[category] || (category === 'best-practices' && (failing || foreign))) return;
      const lost = categories[category].auditRefs
        .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1)
        .map(({ id }) => `${id} ${audits[id].displayValue ?? audits[id].score}`);
      complaints.push(`${name}: ${category} ${scores[index]} (${lost.join(', ')})`);
    });
  } finally {
    await context.close();
  }
}
stop();
rmSync(folder, { recursive: true, force: true });
if (!only) {
  putSection(
    'Lighthouse',
    `Written by \`make lighthouse\`: ${LIGHTHOUSE.replace('@', ' ')}, its phone profile, one run per screen on the sandbox. Of ${screens} screens all
have 100 in every category but these; the slowest paints its largest element after ${slowest} ms. Best practices may miss 100 where an
intended error is logged to the console, and with Connect's SDK.

${table(['screen', 'performance', 'accessibility', 'best practices', 'largest paint, ms', 'layout shift'], rows)}`,
  );
}
for (const complaint of complaints) console.log(`✗ ${complaint}`);
process.exit(complaints.length > 0 ? 1 : 0);

async function measured(address, file) {
  const settings = [
    `--port=${port}`,
    '--output=json',
    `--output-path=${file}`,
    `--only-categories=${CATEGORIES}`,
    // The storage has the session; a page with status 404 is a screen, too.
    '--disable-storage-reset',
    '--ignore-status-code',
    '--quiet',
  ];
  const run = () => promisify(execFile)('npx', ['--yes', LIGHTHOUSE, address, ...settings], { timeout: LONGEST_RUN_MS });
  // On a busy machine Lighthouse sometimes records no trace, and its error message asks for a retry.
  await run().catch((error) => (/again/.test(error.stderr) ? run() : Promise.reject(error)));
  const report = JSON.parse(readFileSync(file, 'utf8'));
  if (report.runtimeError) throw new Error(`${address}: ${report.runtimeError.message}`);
  if (new URL(report.finalDisplayedUrl).pathname !== new URL(address).pathname) {
    throw new Error(`${address} led to ${report.finalDisplayedUrl}`);
  }
  return report;
}

function freePort() {
  return new Promise((done) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
