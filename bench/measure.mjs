/**
 * node measure.mjs TARGETS RUNS OUTPUT: opens every target in a fresh browser profile, all interleaved, and writes the
 * medians. CPU slows the processor down; SPKI makes Chromium accept the lab's certificate; WIRE is the front's counter.
 *
 * usable: ticking the box enables the consent button ("Autorizar…", or data-testid=consent), and a frame since then has
 * been painted.
 * bytesAhead: prefetches for the next step (low-priority fetches), not included in bytes.
 * alive: body[data-islands="alive"]. click: from opening the link to usable.
 */
import fs from 'node:fs';
import https from 'node:https';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { findChromium } from '../end2end/chromium.mjs';

const { chromium } = createRequire(new URL('../end2end/package.json', import.meta.url))('playwright-core');
const [targets, runs, output] = [JSON.parse(process.argv[2]), Number(process.argv[3]), process.argv[4]];
const rate = Number(process.env.CPU ?? 4);
const POLLS = 4;
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--ignore-certificate-errors-spki-list=${process.env.SPKI}`,
];

/** Runs in the page. */
function probe() {
  const seen = { fcp: 0, cls: 0, usable: 0, alive: 0 };
  window.__seen = seen;
  let found = false;
  const see = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  see('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') seen.fcp = entry.startTime;
  });
  see('layout-shift', (entry) => {
    if (!entry.hadRecentInput) seen.cls += entry.value;
  });
  const look = () => {
    if (found) return;
    const named = () => [...document.querySelectorAll('button')].find((one) => /^\s*Autorizar/.test(one.textContent));
    const button = document.querySelector('[data-testid=consent]') ?? named();
    const box = document.querySelector('input[type=checkbox]');
    if (!button || !box) return;
    const works = () =>
      box.checked && !button.disabled && button.ariaDisabled !== 'true' && getComputedStyle(button).display !== 'none';
    // React renders the tick after its event. A tick before the page's script has run enables nothing: it is made again.
    if (!works()) {
      if (box.checked) box.click();
      box.click();
    }
    if (!works()) return;
    found = true;
    box.click();
    // Painted once the task after the next frame's callbacks runs.
    requestAnimationFrame(() => setTimeout(() => (seen.usable = performance.now())));
  };
  // At once, so that no build waits for our timer; the timer sees what changes nothing in the document.
  const changes = { childList: true, subtree: true, attributeFilter: ['disabled', 'aria-disabled'] };
  new MutationObserver(look).observe(document, changes);
  setInterval(() => {
    if (!seen.alive && document.body?.dataset.islands === 'alive') seen.alive = performance.now();
    look();
  }, 10);
}

async function visit(context, url) {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Performance.enable');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
  let bytes = 0;
  let bytesAhead = 0;
  const ahead = new Set();
  devtools.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
    if (type === 'Fetch' && request.initialPriority === 'Low') ahead.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (ahead.has(requestId)) bytesAhead += encodedDataLength;
    else bytes += encodedDataLength;
  });
  await page.addInitScript(probe);
  const clicked = Date.now();
  await page.goto(url, { waitUntil: 'commit', timeout: 90_000 });
  await page.waitForFunction(() => window.__seen?.usable > 0, null, { timeout: 60_000, polling: 20 });
  const bytesUsable = bytes;
  await page.waitForTimeout(2500);
  const seen = await page.evaluate(() => ({
    ...window.__seen,
    origin: performance.timeOrigin,
    // Render-blocking: the document and its style sheets.
    bytesBlocking: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter((entry) => entry.entryType === 'navigation' || entry.renderBlockingStatus === 'blocking')
      .reduce((sum, entry) => sum + entry.encodedBodySize, 0),
  }));
  const { metrics } = await devtools.send('Performance.getMetrics');
  const script = metrics.find(({ name }) => name === 'ScriptDuration').value * 1000;
  const { origin, ...rest } = seen;
  return { page, figures: { click: origin - clicked + seen.usable, ...rest, script, bytesUsable, bytes, bytesAhead } };
}

/** Bytes on the wire of one poll without changes, both ways, TLS included. */
async function pollBytes(page) {
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: /^Autorizar/ }).click();
  await page.waitForURL('**/integration/accounts');
  const polls = async (count) => {
    for (let seen = 0; seen < count; seen += 1) {
      await page.waitForResponse((response) => response.url().endsWith('/api/list_accounts'), { timeout: 30_000 });
    }
    await page.waitForTimeout(1000);
  };
  await polls(3);
  const before = await wire();
  await polls(POLLS);
  return ((await wire()) - before) / POLLS;
}

function wire() {
  return new Promise((done, failed) => {
    https.get(process.env.WIRE, { rejectUnauthorized: false }, (response) => {
      let text = '';
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () => done(JSON.parse(text).product));
    }).on('error', failed);
  });
}

function medians(rows) {
  const middle = (values) => values.sort((a, b) => a - b)[(values.length - 1) >> 1];
  return Object.fromEntries(Object.keys(rows[0]).map((key) => [key, middle(rows.map((row) => row[key]))]));
}

const found = {};
for (let run = 0; run < runs; run += 1) {
  for (const { name, url } of targets) {
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-'));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: await findChromium(),
      args,
      viewport: { width: 412, height: 823 },
      deviceScaleFactor: 1.75,
      isMobile: true,
      hasTouch: true,
      locale: 'pt-BR',
    });
    try {
      const cold = await visit(context, url);
      await cold.page.close();
      const warm = await visit(context, url);
      found[name] ??= { cold: [], warm: [], polls: [] };
      found[name].cold.push(cold.figures);
      found[name].warm.push(warm.figures);
      if (name === 'product' && run === 0) found[name].polls.push({ bytes: await pollBytes(warm.page) });
    } catch (error) {
      console.error(name, String(error).slice(0, 300));
    } finally {
      await context.close();
      fs.rmSync(profile, { recursive: true, force: true });
    }
  }
}
const results = Object.entries(found).map(([name, { cold, warm, polls }]) => [
  name,
  { runs: cold.length, cold: medians(cold), warm: medians(warm), poll: polls[0]?.bytes },
]);
fs.writeFileSync(output, `${JSON.stringify(Object.fromEntries(results), null, 2)}\n`);
