/**
 * Measures what a page and a proxied call cost the server, against nginx with the same bytes and the same upstream;
 * writes docs/performance.md. `make bench-server`, or `node bench/server.mjs [--dry] [--profile VARIANT]`.
 *
 * The figure is processor time per request, from /proc, of a server pinned to one core with one worker; wrk and the
 * widget API have the other one, so that a busy machine changes the rate and hardly the figure. Logs, metrics, traces
 * and limits are on: requests come from many sessions and addresses. Needs nginx, wrk and two cores. Loopback only.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { end, start } from '../scripts/processes.mjs';
import { Visitor } from '../scripts/visitor.mjs';
import { putSection, table } from './section.mjs';

const { values: options } = parseArgs({
  options: { dry: { type: 'boolean' }, profile: { type: 'string' }, seconds: { type: 'string', default: '2' }, runs: { type: 'string', default: '5' } },
});
const BINARY = process.env.VINCULA_BIN ?? 'dist/vincula';
const NGINX = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => spawnSync(path, ['-v']).status === 0);
const [SERVER_CORE, LOAD_CORE] = ['1', '0'];
const [RUNS, SECONDS, CONNECTIONS] = [Number(options.runs), Number(options.seconds), 16];

/** Milliseconds between a response and the next request of a connection, for the second pair of figures. */
const PAUSE_MS = 10;

/** Enough clients that none reaches a rate limit. A link has 60 actions and 2 more a second. */
const VISITORS = 3_000;

/** The headers that Chromium on a phone sends with each request, behind a proxy. */
const BROWSER = {
  host: 'vincula.example.com',
  'sec-ch-ua': '"Chromium";v="144", "Not(A:Brand";v="24"',
  'sec-ch-ua-mobile': '?1',
  'sec-ch-ua-platform': '"Android"',
  'user-agent': 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Mobile Safari/537.36',
  'sec-fetch-site': 'same-origin',
  'accept-language': 'pt-BR,pt;q=0.9,en;q=0.8',
};
const AS_BROWSERS = { 'accept-encoding': 'gzip, deflate, br, zstd' };
const ACCOUNTS = Array.from({ length: 4 }, (_, at) => ({
  bank: ['Banco do Brasil', 'Itaú', 'Nubank', 'Bradesco'][at], agency: '0405', number: `${at}3157-8`, name: 'Conta movimento',
}));

if (NGINX === undefined || spawnSync('wrk', ['-v']).error) {
  console.error('✗ nginx or wrk is missing: apt-get install nginx-light wrk');
  process.exit(1);
}
const lab = mkdtempSync(join(tmpdir(), 'vincula-server-'));
process.once('exit', () => rmSync(lab, { recursive: true, force: true }));

// ── nginx: the widget API, and the peer ────────────────────────────────────────────────────────────────────────────────

const envelope = (data) => JSON.stringify({ data, meta: { status: 200, message: 'OK' } });
const ANSWERS = {
  'validate-token': envelope({
    client_name: 'Padaria Pão Quente Ltda', client_cpfcnpj: '40.817.256/0001-00', customer_id: 4711,
    customer_name: 'Contábil Horizonte', widget_account_admin_name: '', widget_account_admin_cpfcnpj: '',
    widget_type: 'new', widget_account_bank: '', link_id: null, client_uuid: '11111111-2222-4333-8444-555555555555',
  }),
  'list-accounts': envelope(ACCOUNTS),
};

/** Starts an nginx with one worker; returns that worker, whose processor time is measured. */
async function nginx(name, core, inHttp) {
  const folder = join(lab, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'nginx.conf'), `
    user root; daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr notice;
    events { worker_connections 1024; }
    http {
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
      keepalive_requests 1000000000; keepalive_timeout 300s; sendfile on; tcp_nopush on;
      large_client_header_buffers 4 16k; server_tokens off; types { text/html html; }
      ${inHttp}
    }`);
  // nginx logs the worker's id as a notice when it starts.
  return start('taskset', ['-c', core, NGINX, '-p', folder, '-c', join(folder, 'nginx.conf')], {}, /start worker process (\d+)/);
}

/** A free port below the ephemeral ones, of which outgoing connections use many here. */
const freePort = () => new Promise((resolve) => {
  const server = http.createServer();
  server.on('error', () => server.listen(20_000 + Math.floor(Math.random() * 10_000), '127.0.0.1'));
  server.on('listening', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
  server.listen(20_000 + Math.floor(Math.random() * 10_000), '127.0.0.1');
});

// ── requests ───────────────────────────────────────────────────────────────────────────────────────────────────────────

function raw(method, path, headers, body = '') {
  const all = { ...BROWSER, ...headers, ...(method === 'POST' ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}) };
  return `${method} ${path} HTTP/1.1\r\n${Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}\0`;
}

function ask(port, method, path, headers, body) {
  return new Promise((resolve, reject) => {
    const asked = http.request({ port, method, path, headers: { ...BROWSER, ...headers }, agent: false }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }));
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

// ── measuring ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const TICK_US = 1e6 / Number(execFileSync('getconf', ['CLK_TCK']));

/** Processor time of a process with all its threads, user and system, in microseconds. */
function processorTime(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ').slice(11, 13).map(Number);
  return (user + system) * TICK_US;
}

/** Runs wrk at full load, or with a pause before each request. */
function load({ port, plan, pid }, seconds, pause) {
  const before = processorTime(pid);
  const wrk = spawnSync('taskset', ['-c', LOAD_CORE, 'wrk', '-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`, '-s', 'bench/server-load.lua', `http://127.0.0.1:${port}`],
    { env: { PATH: process.env.PATH, PLAN: plan, ...(pause && { PAUSE_MS: String(pause) }) }, encoding: 'utf8' });
  const result = /RESULT (.*)/.exec(wrk.stdout);
  if (result === null) throw new Error(`wrk: ${wrk.stdout}${wrk.stderr}`);
  const { requests, failed, us } = JSON.parse(result[1]);
  if (requests === 0) throw new Error(`no answers: ${wrk.stdout}${wrk.stderr}`);
  return { us: (processorTime(pid) - before) / requests, rate: requests / (us / 1e6), failed };
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

// ── the run ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const [apiPort, peerPort, productPort] = [await freePort(), await freePort(), await freePort()];
const answers = Object.entries(ANSWERS).map(([path, body]) => `location = /${path} { default_type application/json; return 200 '${body}'; }`);
const started = [await nginx('api', LOAD_CORE, `access_log off; server { listen 127.0.0.1:${apiPort}; ${answers.join('\n')} location / { default_type application/json; return 200 '${envelope({})}'; } }`)];
const variants = {};
try {
  const settings = {
    WIDGET_API_URL: `http://127.0.0.1:${apiPort}`,
    SESSION_KEYS: randomBytes(64).toString('hex'),
    LISTEN_ADDR: `127.0.0.1:${productPort}`,
    METRICS_ADDR: '127.0.0.1:0',
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_FORMAT: 'json',
  };
  // `exec` makes the measured pid that of the program. Its log goes to /dev/null, so that reading it costs nothing.
  const product = await start('sh', ['-c', `exec taskset -c ${SERVER_CORE} ${BINARY} 2>/dev/null 1>&2 & echo pid=$!; wait`], settings, /pid=(\d+)/);
  started.push({ ...product, pid: Number(product.found) });
  const pid = Number(product.found);
  for (let patience = 100; patience > 0; patience -= 1) {
    if (await ask(productPort, 'GET', '/healthz', {}).catch(() => undefined)) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }

  const address = (at) => `198.${18 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`;
  const visitors = Array.from({ length: VISITORS }, (_, at) =>
    new Visitor(`http://127.0.0.1:${productPort}`, '', `bench-${randomBytes(16).toString('hex')}`, { 'x-forwarded-for': address(at) }));
  for (let at = 0; at < VISITORS; at += 50) await Promise.all(visitors.slice(at, at + 50).map((visitor) => visitor.validate()));

  // The cost of a page: each compressed, as browsers request it, and uncompressed.
  const files = [];
  const add = (name, kind, { path, body, headers = {} }, bytes) => {
    const asked = visitors.map((visitor, at) => raw(kind, path, { ...headers, 'x-forwarded-for': address(at), cookie: visitor.cookie }, body?.(visitor)));
    const plan = join(lab, `${name}.plan`);
    writeFileSync(plan, asked.join(''));
    variants[name] = { port: productPort, plan, pid, bytes };
  };
  const first = visitors[0];
  const peer = (name, kind, path, headers, body = '') => {
    const plan = join(lab, `${name}.plan`);
    const cookie = first.cookie;
    writeFileSync(plan, visitors.map((_, at) => raw(kind, path, { ...headers, 'x-forwarded-for': address(at), cookie }, body)).join(''));
    variants[name] = { port: peerPort, plan };
  };
  for (const [name, path] of [['consent', '/integration/widget'], ['accounts', '/integration/accounts']]) {
    for (const [form, headers] of [['browser', AS_BROWSERS], ['plain', {}]]) {
      const page = await ask(productPort, 'GET', path, { ...headers, cookie: first.cookie, 'x-forwarded-for': address(0) });
      if (page.status !== 200 || page.body.length < 1_000) throw new Error(`${path}: ${page.status}`);
      const file = `${name}-${form}.html`;
      writeFileSync(join(lab, file), page.body);
      files.push({ file, encoding: page.headers['content-encoding'] });
      add(`${name} ${form}`, 'GET', { path, headers }, page.body.length);
      peer(`${name} ${form} nginx`, 'GET', `/${file}`, headers);
    }
  }
  const listed = JSON.parse((await ask(productPort, 'POST', '/api/list_accounts', { 'content-type': 'application/json', cookie: first.cookie }, JSON.stringify({ input: { session: first.session } }))).body);
  if (listed.kind !== 'listed') throw new Error(`no list: ${JSON.stringify(listed)}`);
  for (const [name, known] of [['unchanged', listed.digest], ['listed', undefined]]) {
    const body = (visitor) => JSON.stringify({ input: { session: visitor.session, known } });
    const answer = await ask(productPort, 'POST', '/api/list_accounts', { ...AS_BROWSERS, 'content-type': 'application/json', cookie: first.cookie }, body(first));
    add(`call ${name}`, 'POST', { path: '/api/list_accounts', headers: { ...AS_BROWSERS, accept: 'application/json' }, body }, answer.body.length);
    if (answer.status !== 200) throw new Error(`list_accounts: ${answer.status}`);
  }
  peer('call nginx', 'POST', '/api/list_accounts', { ...AS_BROWSERS, accept: 'application/json' }, JSON.stringify({ input: { session: first.session } }));

  const front = await nginx('peer', SERVER_CORE, `
    access_log /dev/null combined; default_type text/html;
    upstream api { server 127.0.0.1:${apiPort}; keepalive 64; keepalive_requests 1000000000; }
    server {
      listen 127.0.0.1:${peerPort}; root ${lab};
      ${files.map(({ file, encoding }) => `location = /${file} { ${encoding ? `add_header content-encoding ${encoding};` : ''} add_header cache-control no-store; }`).join('\n')}
      location = /api/list_accounts {
        proxy_pass http://api/list-accounts; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_method GET;
        proxy_pass_request_body off; proxy_set_header Content-Length "";
      }
    }`);
  started.push(front);
  for (const variant of Object.values(variants)) variant.pid ??= Number(front.found);

  if (options.profile !== undefined) {
    const variant = variants[options.profile];
    if (variant === undefined) throw new Error(`--profile: one of ${Object.keys(variants).join(', ')}`);
    const perf = ['record', '-F', '1999', '-g', '-p', String(variant.pid), '-o', 'target/perf.data', '--', 'sleep', '6'];
    const { spawn } = await import('node:child_process');
    const recording = spawn('perf', perf, { stdio: 'inherit' });
    console.log(load(variant, 6));
    await new Promise((resolve) => recording.once('exit', resolve));
  } else {
    const measured = Object.fromEntries(Object.keys(variants).map((name) => [name, { flatOut: [], paced: [] }]));
    for (const variant of Object.values(variants)) load(variant, 1);
    for (let run = 0; run < RUNS; run += 1) {
      for (const [name, variant] of Object.entries(variants)) {
        measured[name].flatOut.push(load(variant, SECONDS));
        measured[name].paced.push(load(variant, SECONDS, PAUSE_MS));
      }
    }
    const failed = Object.entries(measured).flatMap(([name, { flatOut, paced }]) =>
      [...flatOut, ...paced].filter((run) => run.failed > 0).map((run) => `${name}: ${run.failed} answers were not 2xx`));
    const us = (runs) => median(runs.map((run) => run.us));
    report(Object.fromEntries(Object.entries(measured).map(([name, { flatOut, paced }]) => [name, { flatOut: us(flatOut), paced: us(paced) }])), failed);
    if (failed.length > 0) process.exitCode = 1;
  }
} finally {
  for (const one of started.reverse()) {
    if (one.pid !== undefined) process.kill(one.pid, 'SIGTERM');
    await end(one);
  }
}

function report(us, failed) {
  const rows = [
    ['consent page, as browsers ask', 'consent browser', 'consent browser nginx', 4],
    ['consent page, not compressed', 'consent plain', 'consent plain nginx', 3],
    ['accounts page, as browsers ask', 'accounts browser', 'accounts browser nginx', 4],
    ['accounts page, not compressed', 'accounts plain', 'accounts plain nginx', 3],
    ['poll of the accounts: unchanged', 'call unchanged', 'call nginx', 3],
    ['poll of the accounts: a list of 4', 'call listed', 'call nginx', 3],
  ].map(([what, ours, theirs, goal]) => {
    const pair = (kind) => [us[ours][kind], us[theirs][kind], us[ours][kind] / us[theirs][kind]];
    const [[mine, its, ratio], [minePaced, itsPaced, ratioPaced]] = [pair('flatOut'), pair('paced')];
    return [what, variants[ours].bytes, mine.toFixed(0), its.toFixed(0), ratio.toFixed(1), `≤ ${goal} ${ratio <= goal ? '✓' : '✗'}`, minePaced.toFixed(0), itsPaced.toFixed(0), ratioPaced.toFixed(1)];
  });
  const text = table(['request', 'bytes', 'Vincula', 'nginx', 'ratio', 'goal', 'Vincula at a pace', 'nginx at a pace', 'ratio'], rows);
  console.log(text);
  for (const failure of failed) console.error(`✗ ${failure}`);
  if (options.dry || failed.length > 0) return;
  putSection('What the server pays', `Written by \`make bench-server\`. Processor time for one request in µs, medians of ${RUNS} runs, variants interleaved;
${CONNECTIONS} connections, one core for the server, another for wrk and the widget API. Logs, metrics, traces and limits are on, for
${VISITORS} sessions and addresses. nginx, with its access log, serves the same bytes from a file, and proxies the same call. First at full
load; then "at a pace", each connection ${PAUSE_MS} ms after its last response.

${text}`);
}
