// Checks that `make dev` (cargo-leptos) and `make run` (scripts/build) give the same pages: every screen of the
// gallery, served by both programs, must have the same elements and look the same in one browser.
import { createRequire } from 'node:module';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../end2end/chromium.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { chromium } = createRequire(new URL('../end2end/package.json', import.meta.url))('@playwright/test');
/** cargo-leptos builds everything before it starts the program. */
const PATIENCE_MS = 600_000;
/** The time without changes after which a screen counts as finished. */
const STILL_MS = 700;
/** Attempts per screen: screens change by themselves (toasts), so one match is enough. */
const LOOKS = 4;

const programs = [await start(join(ROOT, 'target/run/vincula')), await start(join(ROOT, 'scripts/dev.sh'))];
const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
try {
  const [run, dev] = programs.map(({ url }) => url);
  const states = await (await fetch(`${run}/sandbox/screens.json`)).json();
  let different = 0;
  for (const { slug } of states) {
    let one, other, same;
    for (let look = 0; look < LOOKS; look += 1) {
      [one, other] = [await seen(run, slug), await seen(dev, slug)];
      same = { elements: one.html === other.html, picture: one.picture.equals(other.picture) };
      if (same.elements && same.picture) break;
    }
    if (same.elements && same.picture) continue;
    different += 1;
    const what = Object.keys(same).filter((name) => !same[name]);
    console.log(`✗ ${slug}: ${what.join(' and ')} differ`);
    if (!same.elements) console.log(firstDifference(one.html, other.html));
  }
  console.log(`${states.length - different} passed, ${different} failed`);
  process.exitCode = different > 0 ? 1 : 0;
} finally {
  await browser.close();
  for (const { child } of programs) process.kill(-child.pid, 'SIGINT');
}

/** A screen after hydration, without values that differ per request and names of files. */
async function seen(url, slug) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', locale: 'pt-BR' });
  await page.goto(`${url}/sandbox/screens/${slug}`);
  await page.locator('html[data-performed]').waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(
    (still) =>
      new Promise((done) => {
        let timer = setTimeout(done, still);
        new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(done, still);
        }).observe(document, { attributes: true, childList: true, characterData: true, subtree: true });
      }),
    STILL_MS,
  );
  await page.evaluate(() => document.fonts.ready);
  const html = await page.evaluate(() => {
    // Differs per request. The receipt has it, too.
    for (const code of document.querySelectorAll('#support-code, .facts dd')) {
      if (/^[0-9a-f]{12}$/.test(code.textContent)) code.textContent = '…';
    }
    const copy = document.documentElement.cloneNode(true);
    for (const one of copy.querySelectorAll('script, link, style, iframe')) one.remove();
    return copy.outerHTML;
  });
  const picture = await page.screenshot({ animations: 'disabled' });
  await page.close();
  return {
    picture,
    html: html
      .replaceAll(/\/(islands|pkg)\/[\w.-]+/g, '/$1/…')
      .replaceAll(new URL(url).host, '…')
      .replaceAll(/[0-9a-f]{32}/g, '…')
      .replaceAll(/_R_\w+_|«\w+»|zoid-[\w-]+|uid_\w+|__zoid__\w+/g, '…')
      .replaceAll(/\d\d:\d\d:\d\d/g, '…')
      // Leptos adds marker comments in one kind of build only.
      .replaceAll(/<!--.*?-->/g, ''),
  };
}

function firstDifference(one, other) {
  const at = [...one].findIndex((character, index) => character !== other[index]);
  return [one, other].map((html) => `    …${html.slice(Math.max(0, at - 80), at + 80)}…`).join('\n');
}

/** Starts a program on a free port, in a process group of its own. */
async function start(command) {
  const env = { ...process.env, LISTEN_ADDR: '127.0.0.1:0', METRICS_ADDR: '', NO_COLOR: '1' };
  const child = spawn(command, [], { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const url = new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${command} does not listen:\n${said}`)), PATIENCE_MS);
    const hear = (chunk) => {
      said += chunk;
      const found = /listening address=(\S+)/.exec(said.replaceAll(/\x1b\[[0-9;]*m/g, ''));
      if (found === null) return;
      clearTimeout(timer);
      resolve(`http://${found[1]}`);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
  });
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${command} ended with ${code}:\n${said}`)));
  return { child, url: await Promise.race([url, ended]) };
}
