// assemble.mjs debug|release FOLDER: builds everything into FOLDER: the program, and next to it the site with hashed
// names. A release is optimised, and its files are compressed. FOLDER is replaced only after everything is built.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buildIslands } from '../../islands-react/build.mjs';
import { compress } from './compress.mjs';
import { buildStyles } from './styles.mjs';
import { buildWasm, cargoEnvironment, ROOT, run } from './wasm.mjs';

const [kind, folder] = process.argv.slice(2);
if (!['debug', 'release'].includes(kind) || folder === undefined) {
  console.error('usage: assemble.mjs debug|release FOLDER');
  process.exit(2);
}
const release = kind === 'release';
const destination = resolve(folder);
const unfinished = `${destination}.new`;
const site = join(unfinished, 'site');
const pkg = join(site, 'pkg');

await rm(unfinished, { recursive: true, force: true });
await mkdir(pkg, { recursive: true });
const server = await say(`building the server (${kind}; the first time takes some minutes)`, buildServer);
const front = await say('building the wasm module of the Leptos islands', () =>
  buildWasm({ crate: 'vincula-front', release }),
);
await say("building React's islands and the bridge", () => buildIslands({ out: site, release }));
const css = await say('building the style sheet', buildStyles);
await cp(join(ROOT, 'public'), site, { recursive: true });
const hashes = [];
for (const [ending, content] of [['css', css], ['js', front.glue], ['wasm', front.wasm]]) {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  await writeFile(join(pkg, `vincula.${hash}.${ending}`), content);
  hashes.push(`${ending}: ${hash}\n`);
}
await writeFile(join(unfinished, 'hash.txt'), hashes.join(''));
await cp(server, join(unfinished, 'vincula'));
if (release) await say('compressing the files of the site', () => compress(site));
await rm(destination, { recursive: true, force: true });
await rename(unfinished, destination);

/** With an explicit target Cargo builds proc macros as for the wasm modules, and so only once. */
async function buildServer() {
  const args = ['build', '--locked', '--bin', 'vincula', '--target', 'host-tuple'];
  if (release) args.push('--release');
  await run('cargo', args, cargoEnvironment(release));
  const host = execFileSync('rustc', ['--print', 'host-tuple'], { cwd: ROOT, encoding: 'utf8' }).trim();
  return join(ROOT, 'target', host, kind, 'vincula');
}

/** Prints the step, runs it, and prints how long it took. */
async function say(what, act) {
  const started = performance.now();
  console.log(`▸ ${what}`);
  const result = await act();
  console.log(`✓ ${what} (${Math.round((performance.now() - started) / 1000)} s)`);
  return result;
}
