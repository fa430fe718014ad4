// Tries to bring dist/vincula over the memory limit of deploy/, by every means of an anonymous client or a broken
// widget API, in a cgroup with that limit. Fails if the limit is exceeded, the program ends, or a regular client is not
// served. The figures are for the table in docs/operations.md. Loopback only, and it stops by itself, in minutes.
//
//   node scripts/memory-limit.mjs [--only word] [--connections 1900] [--head 15900] [--seconds 40]
//
// VINCULA_BIN replaces dist/vincula. Without root there is no cgroup: the script only watches the memory.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { limited } from './cgroup.mjs';
import { end, start } from './processes.mjs';
import { Visitor } from './visitor.mjs';

const { values } = parseArgs({
  options: Object.fromEntries(Object.entries({ only: '', connections: '1900', head: '15900', seconds: '40' }).map(([name, value]) => [name, { type: 'string', default: value }])),
});
const [CONNECTIONS, HEAD, SECONDS] = [Number(values.connections), Number(values.head), Number(values.seconds)];
const BINARY = process.env.VINCULA_BIN ?? 'dist/vincula';
const unit = readFileSync('deploy/vincula.service', 'utf8');
const setting = (name) => Number(new RegExp(`^${name}=(\\d+)`, 'm').exec(unit)[1]);
const [LIMIT_MIB, MAX_TASKS, MAX_DESCRIPTORS] = [setting('MemoryMax'), setting('TasksMax'), setting('LimitNOFILE')];
const MIB = 1024 * 1024;

/** Connections per address: the product limits them. */
const PER_ADDRESS = 240;

/** Limit for a page and a list of the regular client, on a machine that the attack itself keeps busy. */
const SERVED_MS = 10_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// ── the widget API ─────────────────────────────────────────────────────────────────────────────────────────────────────

const envelope = (data) => JSON.stringify({ data, meta: { status: 200, message: 'OK' } });
const SESSION = {
  client_name: 'Padaria Pão Quente Ltda', client_cpfcnpj: '40.817.256/0001-00', customer_id: 4711,
  customer_name: 'Contábil Horizonte', widget_type: 'new', link_id: null, client_uuid: '11111111-2222-4333-8444-555555555555',
};
const accounts = (count, name) => envelope(Array.from({ length: count }, (_, at) => ({ bank: 'Itaú', agency: '0405', number: `${at}3157-8`, name })));
const FEW = accounts(4, 'Conta movimento');
/** As large as a response of the widget API may be, nearly 512 kB; the browser gets the first 88 KiB. */
const MANY = accounts(1_990, 'Padaria Pão Quente '.repeat(9));

const api = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  if (request.url !== '/list-accounts') return response.end(envelope(request.url === '/validate-token' ? SESSION : {}));
  const token = request.headers.authorization ?? '';
  if (token.includes('stall')) return response.writeHead(200, { 'content-length': MANY.length }).write(MANY.slice(0, 500_000));
  if (!token.includes('hang')) response.end(token.includes('large') ? MANY : FEW);
});
await new Promise((resolve) => api.listen(0, '127.0.0.1', resolve));

// ── the attacks ────────────────────────────────────────────────────────────────────────────────────────────────────────

const sockets = new Set();

/** A connection from one of several addresses, which reconnects as long as the attack goes on. */
function hold({ port }, at, begin, reads, isRunning) {
  const socket = connect({ host: '127.0.0.1', port, localAddress: `127.0.1.${1 + Math.floor(at / PER_ADDRESS)}` });
  sockets.add(socket);
  socket.on('error', () => {});
  socket.once('close', () => {
    sockets.delete(socket);
    if (isRunning()) setTimeout(() => isRunning() && hold({ port }, at, begin, reads, isRunning), 500);
  });
  if (reads) socket.on('data', (piece) => reads(socket, piece));
  else socket.pause();
  socket.once('connect', () => begin(socket));
}

const connections = (begin, reads) => (program, isRunning) => {
  for (let at = 0; at < CONNECTIONS; at += 1) hold(program, at, begin, reads, isRunning);
};

/** A request with a head of `HEAD` bytes; with an empty `ending` it stays unfinished. */
function request(line, more = '', ending = '\r\n\r\n') {
  const head = `${line} HTTP/1.1\r\nhost: a\r\nsec-fetch-site: same-origin\r\n${more}x-long: `;
  return head + 'a'.repeat(Math.max(1, HEAD - head.length - ending.length)) + ending;
}

const SITE = join(dirname(BINARY), 'site');
const size = (file) => statSync(join(SITE, file)).size;

/** The largest file of the site. */
function largest() {
  const files = ['islands', 'pkg'].flatMap((name) => readdirSync(join(SITE, name)).map((file) => `/${name}/${file}`));
  return files.filter((file) => !/\.(br|gz)$/.test(file)).reduce((largest, file) => (size(file) > size(largest) ? file : largest));
}
const FILE = largest();
const FILE_BYTES = size(FILE);

/** Clients with their own links, each with 8 concurrent requests for its list; without `reads` they never read. */
const clients = (kind, links, reads) => async (program, isRunning) => {
  const { url, port } = program;
  const visitors = Array.from({ length: links }, (_, at) => new Visitor(url, '', `${kind}-${randomBytes(12).toString('hex')}`, { 'x-forwarded-for': `198.51.100.${at}` }));
  for (const visitor of visitors) await visitor.validate();
  const ask = (visitor) => {
    const body = JSON.stringify({ input: { session: visitor.session } });
    const headers = { host: 'a', connection: 'close', 'content-type': 'application/json', 'content-length': body.length, 'sec-fetch-site': 'same-origin', cookie: visitor.cookie, ...visitor.headers };
    const text = `POST /api/list_accounts HTTP/1.1\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`;
    const socket = connect({ host: '127.0.0.1', port });
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => {
      sockets.delete(socket);
      if (isRunning()) setTimeout(() => isRunning() && ask(visitor), 1_000);
    });
    if (reads) socket.on('data', () => {});
    else socket.pause();
    socket.write(text);
  };
  for (const visitor of visitors) for (let at = 0; at < 8; at += 1) ask(visitor);
};

const together = (...attacks) => (program, isRunning) => Promise.all(attacks.map((attack) => attack(program, isRunning)));

/** Downloads files at full speed, the next one half a second after each. */
const download = (socket) => {
  socket.received = 0;
  if (socket.writable) socket.write(`GET ${FILE} HTTP/1.1\r\nhost: a\r\n\r\n`);
};
const countBytes = (socket, piece) => {
  socket.received += piece.length;
  if (socket.received <= FILE_BYTES) return;
  socket.received = -Infinity;
  setTimeout(download, 500, socket);
};
const slowReaders = connections((socket) => socket.write(request(`GET ${FILE}`).repeat(12)));
/** As many as leave some of the 512 permits to others. */
const hanging = clients('hang', 60, true);
const ATTACKS = {
  'only a regular client': () => {},
  'idle connections': connections(() => {}),
  'unfinished heads': connections((socket) => socket.write(request('GET /', '', ''))),
  'files read slowly, large heads behind': slowReaders,
  'pages read slowly, large heads behind': connections((socket) => socket.write(request('GET /').repeat(8))),
  'files at full speed': connections(download, countBytes),
  'half bodies': connections((socket) => socket.write(request('POST /api/list_accounts', 'content-type: application/json\r\ncontent-length: 16000\r\n') + 'a'.repeat(15_900))),
  'lists that hang upstream': hanging,
  'large lists': clients('large', 64, true),
  'large lists read slowly': clients('large', Math.floor(CONNECTIONS / 8), false),
  'large lists that stall upstream': clients('stall', 60, true),
  'slow files, hanging and large lists together': together(slowReaders, hanging, clients('large', 20, false)),
};

// ── a run ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

async function startProduct(group) {
  const settings = {
    WIDGET_API_URL: `http://127.0.0.1:${api.address().port}`,
    SESSION_KEYS: randomBytes(64).toString('hex'),
    LISTEN_ADDR: '127.0.0.1:0',
    METRICS_ADDR: '127.0.0.1:0',
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_FORMAT: 'json',
    RUST_LOG: 'info',
  };
  const enter = group === undefined ? '' : `echo $$ >${group.procs} && `;
  const program = await start('sh', ['-c', `${enter}ulimit -n ${MAX_DESCRIPTORS}; exec ${BINARY}`], settings, /"message":"listening","address":"([^"]+)"|"address":"([^"]+)"/);
  for (const pipe of [program.child.stdout, program.child.stderr]) pipe.removeAllListeners('data').resume();
  const url = `http://${program.found}`;
  return { ...program, url, port: Number(new URL(url).port) };
}

/** The regular client: pages and lists, one after the other. */
async function look(product, regularClient, figures) {
  while (!figures.over) {
    const began = performance.now();
    const served = (async () => {
      await regularClient.listed();
      await regularClient.accounts();
    })();
    const failed = await Promise.race([served.then(() => undefined, String), sleep(SERVED_MS).then(() => 'not served in time')]);
    figures.slowest = Math.max(figures.slowest, performance.now() - began);
    if (failed !== undefined && !figures.over) figures.problems.add(`the regular client: ${failed}`);
    await sleep(500);
  }
}

function watch({ child: { pid } }, figures) {
  return setInterval(() => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const value = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      figures.rss = Math.max(figures.rss, value('VmHWM') / 1024);
      figures.threads = Math.max(figures.threads, value('Threads'));
      figures.descriptors = Math.max(figures.descriptors, readdirSync(`/proc/${pid}/fd`).length);
    } catch {
      figures.problems.add('the program has ended');
    }
  }, 250);
}

async function run(name, attack) {
  const group = limited(`vincula-memory-limit-${process.pid}`, LIMIT_MIB * MIB);
  const product = await startProduct(group);
  const figures = { over: false, rss: 0, threads: 0, descriptors: 0, slowest: 0, problems: new Set() };
  const regularClient = new Visitor(product.url, '', randomBytes(16).toString('hex'), { 'x-forwarded-for': '203.0.113.9' });
  await regularClient.validate();
  await regularClient.consent();
  const timer = watch(product, figures);
  const looking = look(product, regularClient, figures);
  let isRunning = true;
  const attacking = Promise.resolve(attack(product, () => isRunning)).catch((error) => figures.problems.add(`the attack: ${error.message}`));
  await sleep(SECONDS * 1_000);
  figures.over = true;
  clearInterval(timer);
  await looking;
  isRunning = false;
  await attacking;
  const { child } = product;
  if (child.exitCode !== null || child.signalCode !== null) figures.problems.add(`the program ended: ${child.signalCode ?? child.exitCode}`);
  const began = performance.now();
  await end(product);
  figures.stop = performance.now() - began;
  for (const socket of sockets) socket.destroy();
  api.closeAllConnections();
  const inMib = (bytes) => (bytes === undefined ? undefined : bytes / MIB);
  const [peak, inSockets] = [inMib(group?.peak()), inMib(group?.ofSockets())];
  if (group?.killed() > 0) figures.problems.add('the system ended the program for its memory');
  if ((peak ?? figures.rss) >= LIMIT_MIB) figures.problems.add(`over ${LIMIT_MIB} MiB`);
  if (figures.threads >= MAX_TASKS) figures.problems.add(`${figures.threads} threads`);
  if (figures.descriptors >= MAX_DESCRIPTORS) figures.problems.add(`${figures.descriptors} descriptors`);
  group?.remove();
  return { name, ...figures, peak, inSockets, limited: group !== undefined };
}

const cell = (value, digits = 0) => (value === undefined ? '-' : value.toFixed(digits));
const rows = [];
console.log(`${CONNECTIONS} connections, heads of ${HEAD} bytes, ${SECONDS} s each; the limit is ${LIMIT_MIB} MiB\n`);
console.log('| attack | peak of the group, MiB | of it in sockets | peak of the program, MiB | threads | descriptors | slowest for the regular client, s | stop, s |');
console.log('|---|---|---|---|---|---|---|---|');
for (const [name, attack] of Object.entries(ATTACKS)) {
  if (!name.includes(values.only)) continue;
  const row = await run(name, attack);
  rows.push(row);
  console.log(`| ${name} | ${cell(row.peak)} | ${cell(row.inSockets)} | ${cell(row.rss)} | ${row.threads} | ${row.descriptors} | ${cell(row.slowest / 1_000, 1)} | ${cell(row.stop / 1_000, 1)} |`);
}
if (rows.some((row) => !row.limited)) console.log('\nNo group with a limit could be made here (root?): the program was watched, and nothing held it.');
const failures = rows.flatMap(({ name, problems }) => [...problems].map((problem) => `${name}: ${problem}`));
for (const failure of failures) console.error(`✗ ${failure}`);
if (failures.length === 0) console.log(`\n✓ never over ${LIMIT_MIB} MiB, and the regular client was always served`);
process.exit(failures.length > 0 ? 1 : 0);
