// Measures the cost of one poll of the accounts screen: processor time of the product's process over POLLS polls of
// VISITORS clients, with the widget API in a separate process. Loopback only, and it stops by itself. The capacity
// model in docs/operations.md is based on this figure.
import { randomBytes } from 'node:crypto';
import { end, start, startSandbox } from './processes.mjs';
import { Visitor } from './visitor.mjs';

const BINARY = process.env.VINCULA_BIN ?? 'dist/vincula';
const [VISITORS, POLLS, AT_ONCE] = [250, 10_000, 16];

const sandbox = await startSandbox(BINARY);
const settings = {
  WIDGET_API_URL: sandbox.found,
  SESSION_KEYS: randomBytes(64).toString('hex'),
  LISTEN_ADDR: '127.0.0.1:0',
  METRICS_ADDR: '127.0.0.1:0',
  // Each visitor has their own address, so that the limits per address do not apply.
  TRUSTED_PROXIES: '127.0.0.1',
};
const program = await start(BINARY, [], settings, /(metrics=\S+[\s\S]*listening address=\S+|listening address=\S+[\s\S]*metrics=\S+)/);
try {
  const metrics = `http://${/metrics=(\S+)/.exec(program.found)[1]}/metrics`;
  const product = `http://${/address=(\S+)/.exec(program.found)[1]}`;
  const visitors = Array.from({ length: VISITORS }, (_, number) => {
    return new Visitor(product, sandbox.found, `demo-contas.p${number}`, { 'x-forwarded-for': `198.51.100.${number}` });
  });
  for (const visitor of visitors) await visitor.validate();
  await polls(visitors, 1_000);
  const before = await numbers(metrics);
  const began = performance.now();
  await polls(visitors, POLLS);
  const seconds = (performance.now() - began) / 1_000;
  const after = await numbers(metrics);
  const ms = ((after.cpu - before.cpu) / POLLS) * 1_000;
  console.log(`${POLLS} polls in ${seconds.toFixed(1)} s (${(POLLS / seconds).toFixed(0)} a second)`);
  console.log(`processor time of one poll: ${ms.toFixed(3)} ms; resident memory ${(after.memory / 1e6).toFixed(0)} MB`);
} finally {
  await end(program);
  await end(sandbox);
}

async function polls(visitors, count) {
  let next = 0;
  const worker = async () => {
    while (next < count) await visitors[next++ % visitors.length].accounts();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function numbers(metrics) {
  const text = await (await fetch(metrics)).text();
  const value = (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)[1]);
  return { cpu: value('process_cpu_seconds_total'), memory: value('process_resident_memory_bytes') };
}
