// Evaluates every panel of deploy/grafana on a Prometheus that scrapes dist/ while clients complete journeys: each
// expression must be valid and return a number. Loopback only, and it stops by itself.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { end, start, startSandbox } from './processes.mjs';
import { Visitor } from './visitor.mjs';

const BINARY = process.env.VINCULA_BIN ?? 'dist/vincula';
/** Values for Grafana's variables. */
const VARIABLES = { $__rate_interval: '1m', $__range: '1m', $job: 'vincula' };
/** At most so many, in sequence, until every panel has a number: a rate needs two scrapes that differ. */
const CLIENTS = 20;

const dashboard = JSON.parse(readFileSync('deploy/grafana/vincula.json', 'utf8'));
const asked = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
const folder = mkdtempSync(join(tmpdir(), 'vincula-dashboard-'));
const running = [];
try {
  const sandbox = await started(startSandbox(BINARY));
  const settings = {
    WIDGET_API_URL: sandbox.found,
    SESSION_KEYS: randomBytes(64).toString('hex'),
    TRUSTED_PROXIES: 'none',
    LISTEN_ADDR: '127.0.0.1:0',
    METRICS_ADDR: '127.0.0.1:0',
  };
  const both = /(metrics=\S+[\s\S]*listening address=\S+|listening address=\S+[\s\S]*metrics=\S+)/;
  const { found } = await started(start(BINARY, [], settings, both));
  const product = `http://${/address=(\S+)/.exec(found)[1]}`;
  const prometheus = await scraping(/metrics=(\S+)/.exec(found)[1]);

  let without = [];
  for (let client = 1; client <= CLIENTS; client++) {
    await new Visitor(product, sandbox.found, `demo-novo.p${client}`).journey();
    await wait(1_000);
    const answers = await Promise.all(asked.map(async (one) => ({ ...one, numbers: await numbers(prometheus, one.expr) })));
    without = answers.filter(({ numbers }) => !numbers.some(Number.isFinite));
    if (without.length === 0) break;
  }
  if (without.length > 0) throw new Error(`no number: ${without.map(({ title, expr }) => `${title}: ${expr}`).join('; ')}`);
  console.log(`${asked.length} expressions of ${dashboard.panels.length} panels: each gives a number`);
} finally {
  for (const program of running.reverse()) await end(program);
  rmSync(folder, { recursive: true });
}

async function started(starting) {
  const program = await starting;
  running.push(program);
  return program;
}

/** Starts a Prometheus that scrapes `metrics` every second; returns its URL. */
async function scraping(metrics) {
  const config = join(folder, 'prometheus.yml');
  writeFileSync(config, `scrape_configs: [{job_name: vincula, scrape_interval: 1s, static_configs: [{targets: ['${metrics}']}]}]\n`);
  const parameters = [`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'data')}`, '--web.listen-address=127.0.0.1:0'];
  const says = /Listening on"? address=(127\.0\.0\.1:[1-9]\d*)[\s\S]*ready to receive web requests/;
  return `http://${(await started(start('prometheus', parameters, {}, says))).found}`;
}

async function numbers(prometheus, expr) {
  const query = Object.entries(VARIABLES).reduce((text, [name, value]) => text.replaceAll(name, value), expr);
  const answer = await (await fetch(`${prometheus}/api/v1/query?${new URLSearchParams({ query })}`)).json();
  if (answer.status !== 'success') throw new Error(`${expr}: ${answer.error}`);
  return answer.data.result.map(({ value }) => Number(value[1]));
}
