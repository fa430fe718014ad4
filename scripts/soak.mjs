// soak.mjs: many clients poll dist/vincula for minutes, with a faulty widget API. Fails if a session is lost, a
// response differs from the catalogue, or the memory grows. Loopback only, and it stops by itself.
//
//   node scripts/soak.mjs [--clients 500] [--seconds 180] [--faults 0.1]
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '180' },
    faults: { type: 'string', default: '0.1' },
  },
});
const CLIENTS = bounded('clients', values.clients, 1, 5_000);
const SECONDS = bounded('seconds', values.seconds, 10, 3_600);
const FAULTS = bounded('faults', values.faults, 0, 0.9);

/** The pause between polls. */
const PAUSE_MS = 3_000;

/** Timeout of upstream calls: shorter than the default of half an hour, so that hanging calls end during the run. */
const UPSTREAM_TIMEOUT_MS = 3_000;

/** Share of the run after which memory is compared: all clients have arrived, allocator and pools are warm. */
const WARM_UP_SHARE = 0.4;

/** How much the memory may grow after that. */
const MAX_GROWTH = 0.1;

function bounded(name, text, min, max) {
  const number = Number(text);
  if (!(number >= min && number <= max)) throw new Error(`--${name} must be from ${min} to ${max}`);
  return number;
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const one = (list) => list[Math.floor(Math.random() * list.length)];

// ── the widget API ─────────────────────────────────────────────────────────────────────────────────────────────────────

const envelope = (data, status = 200, message = 'OK') => JSON.stringify({ data, meta: { status, message } });

const RESPONSES = {
  '/validate-token': {
    client_name: 'Padaria Pão Quente Ltda',
    client_cpfcnpj: '40.817.256/0001-00',
    customer_id: 4711,
    customer_name: 'Contábil Horizonte',
    widget_type: 'new',
    link_id: null,
    client_uuid: randomUUID(),
  },
  '/list-accounts': Array.from({ length: 12 }, (_, at) => ({ bank: 'Itaú', agency: '0405', number: `${at}`, name: 'Padaria' })),
  '/list-banks': [{ code: '001', name: 'Banco do Brasil' }],
  '/connect-token': 'connect-token',
};

/** Faults of a call, each with the status that the client must get. */
const NO_REPLY = 504;
const PROBLEM = 502;
const FAULT = {
  drop: { expectedStatus: NO_REPLY, inject: (response) => response.destroy() },
  cut: {
    expectedStatus: NO_REPLY,
    inject: (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"data":', () => response.destroy());
    },
  },
  hang: { expectedStatus: NO_REPLY, inject: () => {} },
  drip: {
    expectedStatus: NO_REPLY,
    inject: (response) => {
      response.writeHead(200, { 'content-length': '100000' });
      const timer = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(timer));
    },
  },
  error: { expectedStatus: PROBLEM, inject: (response) => response.writeHead(500).end(envelope(null, 500, 'Oops')) },
  html: { expectedStatus: PROBLEM, inject: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Olá</h1>') },
  broken: { expectedStatus: PROBLEM, inject: (response) => response.writeHead(200).end('{"data":[') },
  flood: {
    expectedStatus: PROBLEM,
    inject: (response) => {
      const spaces = Buffer.alloc(256 * 1024, ' ');
      let left = 400;
      const more = () => {
        while (left-- > 0) if (!response.write(spaces)) return response.once('drain', more);
        response.end();
      };
      response.on('error', () => {});
      more();
    },
  },
};

/** The fault of a token's next polls, which its client sets. */
const nextFaults = new Map();

function startUpstream() {
  const server = createServer((incoming, response) => {
    incoming.resume();
    incoming.on('end', () => {
      const token = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? '')?.[1];
      const fault = incoming.url === '/list-accounts' ? nextFaults.get(token) : undefined;
      if (fault !== undefined) return FAULT[fault].inject(response);
      response.writeHead(200, { 'content-type': 'application/json' }).end(envelope(RESPONSES[incoming.url] ?? null));
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

// ── the product ────────────────────────────────────────────────────────────────────────────────────────────────────────

async function startProduct(upstream) {
  const child = spawn('dist/vincula', [], {
    env: {
      LISTEN_ADDR: '127.0.0.1:0',
      WIDGET_API_URL: upstream,
      SESSION_KEYS: randomBytes(64).toString('hex'),
      TRUSTED_PROXIES: '127.0.0.1',
      UPSTREAM_TIMEOUT_MS: String(UPSTREAM_TIMEOUT_MS),
      RUST_LOG: 'error,vincula::server=info',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let written = '';
  const address = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      written += chunk.toString().replace(/\x1b\[[0-9;]*m/g, '');
      const listening = /listening address=(\S+)/.exec(written);
      if (listening) resolve(listening[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`dist/vincula ended with ${code}: ${written}`)));
  });
  return { child, url: `http://${address}`, errorLines: () => written.split('\n').filter((line) => / ERROR /.test(line)) };
}

function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
}

// ── the clients ────────────────────────────────────────────────────────────────────────────────────────────────────────

const agent = new Agent({ keepAlive: true, maxSockets: 1_500 });
const figures = { polls: 0, faults: 0, lost: [], wrong: [], shed: 0, waits: [], byFault: {} };

class Client {
  token = `tok-${randomUUID()}`;
  cookie = '';
  session = '';

  constructor(at, url) {
    this.address = `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`;
    this.url = url;
  }

  send(method, path, input) {
    const headers = { 'x-forwarded-for': this.address, 'sec-fetch-site': 'same-origin', cookie: this.cookie };
    const body = input === undefined ? undefined : JSON.stringify({ input });
    if (body !== undefined) Object.assign(headers, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    return new Promise((resolve, reject) => {
      const sent = request(`${this.url}${path}`, { method, headers, agent }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const set = response.headers['set-cookie']?.[0];
          if (set !== undefined) this.cookie = set.split(';')[0];
          resolve({ status: response.statusCode, to: response.headers.location, text: Buffer.concat(chunks).toString() });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  act(action, input = {}) {
    return this.send('POST', `/api/${action}`, { session: this.session, ...input });
  }

  async enter() {
    const entered = await this.act('validate_token', { query: `?token=${this.token}` });
    if (entered.status !== 200) throw new Error(`validate_token: ${entered.status} ${entered.text}`);
    const page = (await this.send('GET', '/integration/widget')).text;
    this.session = /"session":"(\w+)"/.exec(page)?.[1] ?? '';
    const consented = await this.act('accept_consent', { text: /name="text" value="([\w-]+)"/.exec(page)?.[1] });
    if (consented.status !== 200) throw new Error(`accept_consent: ${consented.status} ${consented.text}`);
  }

  async poll() {
    const fault = Math.random() < FAULTS ? one(Object.keys(FAULT)) : undefined;
    if (fault !== undefined) nextFaults.set(this.token, fault);
    const before = performance.now();
    const { status, text } = await this.act('list_accounts');
    nextFaults.delete(this.token);
    figures.polls += 1;
    if (fault === undefined) figures.waits.push(performance.now() - before);
    else {
      figures.faults += 1;
      figures.byFault[fault] = (figures.byFault[fault] ?? 0) + 1;
    }
    if (status === 401 || status === 409) figures.lost.push(`poll: ${status} ${text}`);
    else if (status === 429 || status === 503) figures.shed += 1;
    else if (status !== (fault === undefined ? 200 : FAULT[fault].expectedStatus)) figures.wrong.push(`${fault ?? 'no fault'}: ${status} ${text}`);
  }

  /** Opens a page that redirects clients without a session. */
  async look() {
    const { status, to } = await this.send('GET', '/integration/select-bank');
    if (status === 503) figures.shed += 1;
    else if (status !== 200) figures.lost.push(`page: ${status} to ${to}`);
  }

  async run(until) {
    await this.enter();
    for (let poll = 1; Date.now() < until; poll += 1) {
      await this.poll();
      if (poll % 5 === 0) await this.look();
      await sleep(PAUSE_MS);
    }
    await this.look();
  }
}

// ── the run ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const upstream = await startUpstream();
const product = await startProduct(`http://127.0.0.1:${upstream.address().port}`);
const started = Date.now();
const until = started + SECONDS * 1_000;
const memory = [];
const watch = setInterval(() => memory.push({ at: Date.now() - started, mb: memoryOf(product.child.pid) }), 1_000);

console.log(`${CLIENTS} clients for ${SECONDS} s, ${100 * FAULTS} % of the polls with a fault`);
const arriving = Math.min(20_000, SECONDS * 200);
const runs = Array.from({ length: CLIENTS }, async (_, at) => {
  await sleep((at / CLIENTS) * arriving);
  const client = new Client(at, product.url);
  await client.run(until).catch((error) => figures.wrong.push(String(error)));
});
await Promise.all(runs);
clearInterval(watch);
const errorLines = product.errorLines();
product.child.kill('SIGTERM');
await new Promise((resolve) => product.child.once('exit', resolve));
upstream.closeAllConnections();
upstream.close();
agent.destroy();

const warm = memory.filter(({ at }) => at > WARM_UP_SHARE * SECONDS * 1_000 && at < SECONDS * 1_000).map(({ mb }) => mb);
const third = Math.max(1, Math.floor(warm.length / 3));
const [early, late] = [median(warm.slice(0, third)), median(warm.slice(-third))];
const growth = late / early - 1;
const waits = figures.waits.sort((a, b) => a - b);
const quantile = (share) => waits[Math.min(waits.length - 1, Math.floor(share * waits.length))]?.toFixed(0);

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

console.log(`polls ${figures.polls}, with a fault ${figures.faults} ${JSON.stringify(figures.byFault)}`);
console.log(`polls without a fault took p50 ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms, p99 ${quantile(0.99)} ms`);
console.log(`memory ${early.toFixed(1)} MB, then ${late.toFixed(1)} MB (${(100 * growth).toFixed(1)} %), at most ${Math.max(...memory.map(({ mb }) => mb)).toFixed(1)} MB`);
console.log(`sessions lost ${figures.lost.length}, wrong responses ${figures.wrong.length}, shed ${figures.shed}`);
const failures = [
  ...figures.lost.slice(0, 5),
  ...figures.wrong.slice(0, 5),
  ...errorLines.slice(0, 5),
  ...(figures.polls < CLIENTS ? ['hardly any client polled'] : []),
  ...(figures.shed > 0 ? ['requests were shed'] : []),
  ...(growth > MAX_GROWTH ? [`the memory grew by more than ${100 * MAX_GROWTH} %`] : []),
];
for (const failure of failures) console.error(`✗ ${failure}`);
if (failures.length === 0) console.log('✓ no session was lost, and the memory is flat');
process.exit(failures.length > 0 ? 1 : 0);
