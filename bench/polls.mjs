/**
 * Simulates open accounts screens, each of which polls 3 s after its last response; measures errors, memory, processor
 * time of a poll, and calls to the widget API. `make bench-polls`, or
 * `node bench/polls.mjs [--pages 1000] [--links 1000] [--seconds 300] [--delay 50]`. Loopback only; ends by itself.
 *
 * A link may have six pages before its rate limit applies (src/http/limits.rs).
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { parseArgs } from 'node:util';
import { end, start } from '../scripts/processes.mjs';
import { Visitor } from '../scripts/visitor.mjs';

const { values } = parseArgs({
  options: Object.fromEntries(Object.entries({ pages: '1000', links: '1000', seconds: '300', delay: '50' }).map(([name, value]) => [name, { type: 'string', default: value }])),
});
const bounded = (name, least, most) => {
  const number = Number(values[name]);
  if (!(number >= least && number <= most)) throw new Error(`--${name} must be from ${least} to ${most}`);
  return number;
};
const [PAGES, LINKS] = [bounded('pages', 1, 1_500), bounded('links', 1, 1_500)];
const [SECONDS, DELAY_MS] = [bounded('seconds', 10, 3_600), bounded('delay', 0, 10_000)];
const BINARY = process.env.VINCULA_BIN ?? 'dist/vincula';
const [PAUSE_MS, MAX_MB] = [3_000, 64];
const TICK_MS = 10;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const ACCOUNTS = Array.from({ length: 4 }, (_, at) => ({ bank: 'Itaú', agency: '0405', number: `${at}3157-8`, name: 'Conta movimento' }));
const SESSION = {
  client_name: 'Padaria Pão Quente Ltda', client_cpfcnpj: '40.817.256/0001-00', customer_id: 4711,
  customer_name: 'Contábil Horizonte', widget_type: 'new', link_id: null, client_uuid: '11111111-2222-4333-8444-555555555555',
};
const answer = (data) => JSON.stringify({ data, meta: { status: 200, message: 'OK' } });
const ANSWERS = { '/validate-token': answer(SESSION), '/list-accounts': answer(ACCOUNTS) };
let calls = 0;
const api = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  const list = request.url === '/list-accounts';
  if (list) calls += 1;
  setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWERS[request.url] ?? answer({})), list ? DELAY_MS : 0);
});
await new Promise((resolve) => api.listen(0, '127.0.0.1', resolve));

const program = await start(BINARY, [], {
  WIDGET_API_URL: `http://127.0.0.1:${api.address().port}`, SESSION_KEYS: randomBytes(64).toString('hex'), LISTEN_ADDR: '127.0.0.1:0',
  METRICS_ADDR: '127.0.0.1:0', TRUSTED_PROXIES: '127.0.0.1', LOG_FORMAT: 'json', RUST_LOG: 'info',
}, /"address":"([^"]+)"/);
// The rest of the log is not needed: discard it.
for (const pipe of [program.child.stdout, program.child.stderr]) pipe.removeAllListeners('data').resume();
const [host, port] = program.found.split(':');
const { pid } = program.child;
const memoryMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
const processorMs = () => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ').slice(11, 13).map(Number);
  return (user + system) * TICK_MS;
};

const agent = new http.Agent({ keepAlive: true, maxSockets: 2_000 });
const figures = { polls: 0, unchanged: 0, waits: [], wrong: {} };
const wrong = (what) => (figures.wrong[what] = (figures.wrong[what] ?? 0) + 1);

function poll({ cookie, session, address }, known) {
  const body = JSON.stringify({ input: { session, known } });
  const headers = {
    'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'sec-fetch-site': 'same-origin',
    'accept-encoding': 'gzip, br', 'x-forwarded-for': address, cookie,
  };
  return new Promise((resolve) => {
    const asked = http.request({ host, port, method: 'POST', path: '/api/list_accounts', headers, agent }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode, body: Buffer.concat(chunks), encoded: response.headers['content-encoding'] }));
    });
    asked.once('error', (error) => resolve({ status: error.code }));
    asked.end(body);
  });
}

async function live(page, at, until) {
  await sleep((at / PAGES) * PAUSE_MS);
  // The first poll gets the full list; later polls send its digest.
  let known;
  while (Date.now() < until) {
    const began = performance.now();
    const { status, body, encoded } = await poll(page, known);
    figures.polls += 1;
    figures.waits.push(performance.now() - began);
    if (status !== 200) wrong(status);
    else if (body.toString() === '{"kind":"unchanged"}') figures.unchanged += 1;
    else if (encoded === undefined && known === undefined) known = JSON.parse(body).digest;
    else if (known !== undefined) wrong('not unchanged');
    known ??= digest;
    await sleep(PAUSE_MS);
  }
}

const links = [];
for (let at = 0; at < LINKS; at += 50) {
  const some = Array.from({ length: Math.min(50, LINKS - at) }, (_, more) => {
    const address = `198.18.${(at + more) >> 8}.${(at + more) & 255}`;
    return Object.assign(new Visitor(`http://${program.found}`, '', randomBytes(16).toString('hex'), { 'x-forwarded-for': address }), { address });
  });
  await Promise.all(some.map((visitor) => visitor.validate()));
  links.push(...some);
}
const { digest } = await links[0].accounts();
console.log(`${PAGES} pages on ${LINKS} links for ${SECONDS} s, the widget API answers in ${DELAY_MS} ms`);
const [began, cpu, resting] = [Date.now(), processorMs(), memoryMb()];
const curve = [];
const callsBefore = calls;
const look = setInterval(() => curve.push({ at: (Date.now() - began) / 1_000, mb: memoryMb() }), 1_000);
await Promise.all(Array.from({ length: PAGES }, (_, at) => live(links[at % LINKS], at, began + SECONDS * 1_000)));
clearInterval(look);
const perPoll = (processorMs() - cpu) / figures.polls;
const at = (second) => curve.reduce((near, one) => (Math.abs(one.at - second) < Math.abs(near.at - second) ? one : near)).mb.toFixed(1);
const waits = figures.waits.sort((a, b) => a - b);
const most = Math.max(...curve.map(({ mb }) => mb));
await end(program);
agent.destroy();
api.closeAllConnections();
api.close();

const failures = [
  ...Object.entries(figures.wrong).map(([what, count]) => `${count} polls: ${what}`),
  ...(most > MAX_MB ? [`${most.toFixed(1)} MB of memory are more than ${MAX_MB}`] : []),
];
console.log(`${figures.polls} polls, ${figures.unchanged} unchanged, ${calls - callsBefore} calls to the widget API`);
console.log(`processor time of a poll ${perPoll.toFixed(3)} ms; waits p50 ${waits[waits.length >> 1].toFixed(0)} ms, p99 ${waits[Math.floor(waits.length * 0.99)].toFixed(0)} ms`);
console.log(`memory: ${resting.toFixed(1)} MB with ${LINKS} sessions made, ${at(2)} MB after 2 s, ${at(60)} MB after a minute, ${at(SECONDS)} MB at the end, at most ${most.toFixed(1)} MB`);
for (const failure of failures) console.error(`✗ ${failure}`);
if (failures.length === 0) console.log('✓ every poll was answered as it should be');
process.exit(failures.length > 0 ? 1 : 0);
