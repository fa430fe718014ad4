/** node report.mjs RESULTS STARTUP DIST OUTPUT: writes the results with their goals. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [resultsFile, startupFile, dist, output] = process.argv.slice(2);
const results = JSON.parse(readFileSync(resultsFile, 'utf8'));
const startup = JSON.parse(readFileSync(startupFile, 'utf8'));
const { RTT, DOWN, UP, CPU } = process.env;
const { static: floor, 'lean-spa': lean, 'usual-spa': usual, product } = results;

const site = join(dist, 'site');
const { bridge } = JSON.parse(readFileSync(join(site, 'islands/manifest.json'), 'utf8'));
const packed = (path) => statSync(join(site, `${path}.br`)).size;
const leptos = readdirSync(join(site, 'pkg')).filter((name) => /\.(js|wasm)$/.test(name));
const wasmOfReact = packed(bridge.js) + packed(bridge.wasm);
const wasmOfLeptos = leptos.reduce((sum, name) => sum + packed(join('pkg', name)), 0);

const ms = (value) => `${Math.round(value)}`;
const kB = (bytes) => (bytes / 1000).toFixed(1);
const ratio = (value) => value.toFixed(2);

/** Name, goal, measured value, format. */
const goals = [
  ['Link opened → consent usable, against the static page', 1.35, product.cold.click / floor.cold.click, ratio],
  ['Link opened → consent usable, against the usual SPA', 0.45, product.cold.click / usual.cold.click, ratio],
  ['Link opened → consent usable, against the lean SPA', 0.65, product.cold.click / lean.cold.click, ratio],
  ['The same on the second visit, against the lean SPA', 0.9, product.warm.click / lean.warm.click, ratio],
  ['All islands alive, against the lean SPA usable', 1, product.cold.alive / lean.cold.usable, ratio],
  ['kB that the first paint waits for', 25_000, product.cold.bytesBlocking, kB],
  ['kB on the wire when the consent is usable, with prefetches', 40_000, product.cold.bytesUsable, kB],
  ['kB of entry and consent page in all', 150_000, product.cold.bytes, kB],
  ['kB of wasm and glue, React pages', 60_000, wasmOfReact, kB],
  ['kB of wasm and glue, pages with Leptos islands', 60_000, wasmOfLeptos, kB],
  ['Layout shift of entry and consent', 0.01, product.cold.cls, (value) => value.toFixed(4)],
  ['Bytes of a poll without changes, both ways, TLS included', 400, product.poll, ms],
  ['ms from the start of the process to the first page', 50, startup, ms],
];

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const names = { static: 'static page, the floor', 'lean-spa': 'lean SPA', 'usual-spa': 'usual SPA', product: 'Vincula' };
const rowsOf = (state) =>
  Object.entries(names).map(([key, name]) => {
    const row = results[key][state];
    const alive = row.alive > 0 ? ms(row.alive) : '';
    const ahead = row.bytesAhead > 0 ? kB(row.bytesAhead) : '';
    const bytes = [kB(row.bytesUsable), kB(row.bytes), ahead];
    return [name, ms(row.click), ms(row.fcp), ms(row.usable), alive, ...bytes, ms(row.script)];
  });
const head = ['ms, kB', 'link → usable', 'first paint', 'usable', 'alive', 'bytes when usable', 'in all', 'prefetched', 'script'];

const OWN = ['Goals', 'First visit', 'Second visit'];
let others = '';
try {
  const sections = readFileSync(output, 'utf8').split(/^(?=## )/m).slice(1);
  others = sections.filter((section) => !OWN.some((title) => section.startsWith(`## ${title}\n`))).join('');
} catch {
  // The first report has no other sections yet.
}

writeFileSync(
  output,
  `# Performance

Written by \`make bench\`; sections other than the first three are kept. The slow phone: 412 × 823, a processor ${CPU} times
slower, ${RTT} ms round trip, ${DOWN} kbit/s down, ${UP} up, TLS 1.3, HTTP/2, brotli; API responses take 50 ms. Medians of
${product.runs} runs in fresh profiles, builds interleaved. Ratios and bytes are comparable between machines, milliseconds are not.
"Link → usable": from opening the link until the box can be ticked and the button then enabled, both painted. "First paint",
"usable" and "alive" (every island is mounted) start with the document. "Prefetched" is not in the other bytes.

## Goals

${table(
  ['what', 'goal', 'measured', ''],
  goals.map(([what, goal, value, form]) => [what, `≤ ${form(goal)}`, form(value), value <= goal ? '✓' : '✗']),
)}

## First visit

${table(head, rowsOf('cold'))}

## Second visit

${table(head, rowsOf('warm'))}

${others}`,
);
const missed = goals.filter(([, goal, value]) => !(value <= goal));
console.log(`✓ ${output}: ${goals.length - missed.length} of ${goals.length} goals met`);
for (const [what, goal, value, form] of missed) console.log(`  ✗ ${what}: ${form(value)}, goal ${form(goal)}`);
