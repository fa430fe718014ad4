/**
 * Measures navigations with a warm cache: milliseconds from the click, and from the start of the navigation, to the
 * first paint of the next page, and who needed them; on a desktop without throttling, dist/ with its sandbox, loopback. Then the layout
 * shift of each screen on its first load over a slow link. Writes both into docs/performance.md. PRODUCT=dist RUNS=5
 * DRY=1 ONLY=navigations skips the second part.
 */
import { createServer } from 'node:http';
import { PARTS, traceNavigation } from './navigation-trace.mjs';
import { BROWSER, cancelAll, chromium, consent, fillBankForm, open, SCREENS, startSandbox, toBankForm } from './sandbox.mjs';
import { putSection, table } from './section.mjs';

const RUNS = Number(process.env.RUNS ?? 5);
const GOAL_MS = 100;
const MAX_SHIFT = 0.01;
/** Screens that move less are not listed. */
const LEAST_SHIFT = 0.0001;
/** A slow mobile connection: milliseconds and bytes per second. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const SETTLED_MS = 3000;
const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1440, height: 900 } };

const BARE = 'one bare page → another';

/** Runs in every document. */
function probe() {
  const seen = { paint: 0, shift: 0 };
  window.__seen = seen;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === 'first-paint') seen.paint = performance.timeOrigin + entry.startTime;
  }).observe({ type: 'paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  window.addEventListener('click', (event) => window.__clicked(performance.timeOrigin + event.timeStamp), true);
}

const WAYS = [
  {
    from: 'demo-novo',
    steps: [
      ['consent → accounts', consent],
      ['accounts → bank form', toBankForm],
      ['bank form → Connect', sendBankForm],
      ['Connect → success', finishConnect],
      ['success → accounts', byLink('Integrar outra conta bancária', '**/integration/accounts')],
    ],
  },
  {
    from: 'demo-cancelar',
    steps: [['cancel: question → done', cancelAll]],
  },
  {
    from: 'demo-contas',
    steps: [
      [null, consent],
      ['accounts → cancel: question', byLink('clique aqui', '**/cancel/confirm')],
    ],
  },
  { from: null, steps: [[BARE, byLink('next', '**/next')]] },
];

const { url, stop } = await startSandbox();
/** Pages of one line, each with a link to another: what a navigation costs without any of our work. */
const bare = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!doctype html><title>Bare</title><h1>Bare</h1><a href="/next">next</a>');
});
await new Promise((done) => bare.listen(0, '127.0.0.1', done));
const found = new Map();
const traced = new Map();
const browser = await chromium.launch(BROWSER);
const context = await browser.newContext({ viewport: SIZES.desktop, locale: 'pt-BR' });
let clicked = 0;
await context.exposeBinding('__clicked', (_, at) => {
  clicked = at;
});
await context.addInitScript(probe);
// The first round warms the cache and does not count; every second one is traced, which takes time of its own.
for (let run = 0; run <= 2 * RUNS; run += 1) {
  for (const { from, steps } of WAYS) {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    if (from === null) await page.goto(`http://127.0.0.1:${bare.address().port}/`);
    else await open(page, url, from);
    for (const [name, go] of steps) {
      // A user takes longer; the prefetches have arrived by then.
      await page.waitForTimeout(1200);
      const act = async () => {
        await go(page);
        await page.waitForFunction(() => window.__seen?.paint > 0);
      };
      if (run % 2 === 1 && name !== null) {
        const parts = await traceNavigation(devtools, act);
        traced.set(name, [...(traced.get(name) ?? []), parts]);
        continue;
      }
      await act();
      const { paint, origin, revalidated } = await page.evaluate(() => ({
        paint: window.__seen.paint,
        origin: performance.timeOrigin,
        // Our files that the browser did not take from the cache without a request.
        revalidated: performance
          .getEntriesByType('resource')
          .filter(({ name, transferSize }) => transferSize > 0 && !new URL(name).pathname.startsWith('/api/'))
          .map(({ name }) => new URL(name).pathname),
      }));
      if (run === 0 || name === null) continue;
      const row = found.get(name) ?? { paint: [], click: [], asked: new Set() };
      found.set(name, row);
      row.paint.push(paint - origin);
      row.click.push(paint - clicked);
      for (const file of revalidated) row.asked.add(file);
    }
    await page.close();
  }
}
await context.close();

const shifts = [];
for (const { name, go } of process.env.ONLY === 'navigations' ? [] : SCREENS) {
  const row = [name];
  for (const viewport of Object.values(SIZES)) {
    const context = await browser.newContext({ viewport, locale: 'pt-BR' });
    await context.exposeBinding('__clicked', () => {});
    await context.addInitScript(probe);
    const first = await context.newPage();
    await go(first, url);
    const address = first.url();
    await first.close();
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    await devtools.send('Network.emulateNetworkConditions', SLOW);
    await page.goto(address, { waitUntil: 'load' });
    await page.waitForTimeout(SETTLED_MS);
    row.push(await page.evaluate(() => window.__seen.shift));
    await context.close();
  }
  shifts.push(row);
}
await browser.close();
bare.close();
stop();

const median = (values) => [...values].sort((a, b) => a - b)[(values.length - 1) >> 1];
const ms = (value) => `${Math.round(value)}`;
const rows = [...found].map(([name, row]) => [
  name,
  ms(median(row.click)),
  ms(median(row.paint)),
  [...row.asked].join(' ') || 'none',
]);
const navigations = table(
  ['ms, from → to', 'click → first paint', 'navigation → first paint', 'files asked for again'],
  rows,
);
const apart = table(
  ['from → to', ...PARTS, 'in all'],
  [...traced].map(([name, runs]) => [name, ...[...PARTS, 'in all'].map((part) => ms(median(runs.map((one) => one[part]))))]),
);
const still = table(
  ['screen', ...Object.keys(SIZES)],
  shifts.filter((row) => row.slice(1).some((value) => value >= LEAST_SHIFT)).map(([name, ...values]) => [name, ...values.map((value) => value.toFixed(4))]),
);
// Where the time goes, by Chromium's trace, which itself costs time.
console.log(apart);
if (process.env.DRY) console.log(`${navigations}\n\n${still}`);
else {
  putSection(
    'From step to step',
    `Written by \`make bench\`: a desktop without throttling, warm cache, the sandbox on loopback; medians of ${RUNS} runs. Goal:
${GOAL_MS} ms from the start of the navigation to the first paint of the next page, which for a link is the whole
click. For a button that calls the widget API first, "click" includes that call. The bare pages are HTML of one line each.

${navigations}`,
  );
  if (shifts.length > 0) putSection(
    'Layout shift of every screen',
    `Written by \`make bench\`: each screen loaded without a cache over ${SLOW.latency} ms and ${(SLOW.downloadThroughput * 8) / 1000} kbit/s, and watched for ${SETTLED_MS / 1000} s after it
has loaded. Goal: below ${MAX_SHIFT}. Of ${shifts.length} screens these move at all:

${still}`,
  );
}
const slow = [...found].filter(([, row]) => median(row.paint) > GOAL_MS).map(([name]) => `${name} is slower than ${GOAL_MS} ms`);
const moving = shifts.filter(([, ...values]) => values.some((value) => value >= MAX_SHIFT)).map(([name]) => `${name} moves`);
for (const complaint of [...slow, ...moving]) console.log(`✗ ${complaint}`);
process.exit(slow.length + moving.length > 0 ? 1 : 0);

async function sendBankForm(page) {
  await fillBankForm(page);
  await page.getByRole('button', { name: 'Avançar' }).click();
  await page.waitForURL('**/integration/widget');
}

async function finishConnect(page) {
  await page.frameLocator('iframe[title="Pluggy"][name^="__zoid__"]').getByRole('button', { name: 'Conectar com sucesso' }).click();
  await page.waitForURL('**/integration/success');
}

function byLink(name, to) {
  return async (page) => {
    await page.getByRole('link', { name }).or(page.getByRole('button', { name })).first().click();
    await page.waitForURL(to);
  };
}
