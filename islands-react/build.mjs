/**
 * Builds the islands and the wasm bridge to OUT/islands, and the stand-in Connect page to OUT/sandbox.
 *
 *   node build.mjs OUT --watch   development: entries without hash, rebuilt on every change (except the bridge)
 *
 * Otherwise scripts/build/assemble.mjs calls it: hashed names.
 *
 * The server finds the islands in OUT/islands/manifest.json, which is written last and by rename:
 *   { "islands": { "<name>": { js, imports, preload, screens, texts } }, "bridge": { js, wasm }, "begin", "script" }
 * js: the module to import; imports: its static imports, to `modulepreload` with it; preload: its dynamic imports,
 * worth fetching early; screens: prerendered HTML by name, with {{tokens}}; texts: of the consent, the SHA-256 of what
 * each screen says, and those of all texts in docs/consent; begin and script: sources that the server inlines, the first
 * on the entry only.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { buildWasm } from '../scripts/build/wasm.mjs';
import { BASELINE } from './baseline.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const cacheDir = join(here, 'node_modules/.cache/vincula');

const islands = {
  consent: 'src/consent/index.tsx',
  'bank-form': 'src/bank-form/index.tsx',
  connect: 'src/connect/index.tsx',
};

/**
 * Builds once.
 * @param out the folder of the site
 * @param release whether the bridge is optimised
 */
export async function buildIslands({ out, release }) {
  for (const options of await builds(out, { release, watch: false })) await esbuild.build(options);
}

async function watchIslands(out) {
  for (const options of await builds(out, { release: false, watch: true }))
    await (await esbuild.context(options)).watch();
}

async function builds(out, { release, watch }) {
  const islandsDir = join(out, 'islands');
  // Their names contain hashes: a folder that is watched again would keep the files of the time before.
  await rm(islandsDir, { recursive: true, force: true });
  await mkdir(islandsDir, { recursive: true });
  const bridge = await buildBridge(islandsDir, release);
  const shared = settings(watch);
  const finish = ({ errors, metafile }) => errors.length === 0 && writeManifest(metafile, islandsDir, bridge, shared);
  const islandsBuild = {
    ...shared,
    entryPoints: islands,
    format: 'esm',
    splitting: true,
    outdir: islandsDir,
    entryNames: watch ? '[name]' : '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    metafile: true,
    plugins: [{ name: 'manifest', setup: (build) => build.onEnd(finish) }],
  };
  const standIn = { in: 'src/stand-in/index.ts', out: 'connect' };
  const standInStyle = { in: 'src/stand-in/connect.css', out: 'connect' };
  return [
    islandsBuild,
    { ...shared, entryPoints: [standIn, standInStyle], format: 'iife', outdir: join(out, 'sandbox') },
  ];
}

function settings(watch) {
  return {
    absWorkingDir: here,
    bundle: true,
    minify: !watch,
    target: BASELINE,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': watch ? '"development"' : '"production"' },
    logLevel: 'warning',
  };
}

/** The wasm bridge for pages without Leptos islands: a module of a few kilobytes. File names contain its hash. */
async function buildBridge(islandsDir, release) {
  const { wasm, glue } = await buildWasm({ crate: 'vincula-bridge', release });
  const bridge = {};
  for (const [kind, content] of [
    ['js', glue],
    ['wasm', wasm],
  ]) {
    bridge[kind] = `bridge-${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${kind}`;
    await writeFile(join(islandsDir, bridge[kind]), content);
  }
  return bridge;
}

/** The last file to be written, and by rename: once it is there, all others are. */
async function writeManifest(metafile, islandsDir, bridge, shared) {
  const outputs = Object.fromEntries(Object.entries(metafile.outputs).map(([path, output]) => [urlOf(path), output]));
  const manifest = {
    islands: {},
    bridge: { js: `/islands/${bridge.js}`, wasm: `/islands/${bridge.wasm}` },
    begin: await inlined('src/page/begin.ts', shared),
    script: await inlined('src/page/index.ts', shared),
  };
  for (const [name, source] of Object.entries(islands))
    manifest.islands[name] = await entry(outputs, name, source, shared);
  const unfinished = join(islandsDir, 'manifest.json.tmp');
  await writeFile(unfinished, `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(unfinished, join(islandsDir, 'manifest.json'));
}

async function entry(outputs, name, source, shared) {
  const js = Object.keys(outputs).find((url) => outputs[url].entryPoint === source);
  const statics = new Set([js]);
  for (const url of statics) for (const next of importsOf(outputs, url, 'import-statement')) statics.add(next);
  const dynamics = new Set([...statics].flatMap((url) => importsOf(outputs, url, 'dynamic-import')));
  const { screens, texts } = await prerendered(name, shared);
  const imports = [...statics].filter((url) => url !== js);
  return {
    js,
    imports,
    preload: [...dynamics],
    screens,
    texts: texts && { ...hashes(texts), known: await knownTexts() },
  };
}

/** The consent's texts by the names of its screens, for `make consent-text`. */
export async function consentTexts() {
  return (await prerendered('consent', settings(false))).texts;
}

function hashes(texts) {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, sha256(text)]));
}

export function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** The hashes of all texts that were ever shown: pages of the version before are still open when this one starts. */
async function knownTexts() {
  const names = await readdir(join(here, '../docs/consent'));
  return names.filter((name) => name.endsWith('.txt')).map((name) => name.slice(0, -'.txt'.length));
}

function urlOf(path) {
  return path.replace(/^.*\/islands\/(?=[^/]+$)/, '/islands/');
}

function importsOf(outputs, url, kind) {
  return outputs[url].imports.filter((one) => one.kind === kind && !one.external).map((one) => urlOf(one.path));
}

/** An island's screens as HTML, rendered by the same component that later hydrates them, and their texts if it has some. */
async function prerendered(name, shared) {
  const source = `src/${name}/prerender.tsx`;
  const outfile = join(cacheDir, `${source.replaceAll('/', '-')}.cjs`);
  await esbuild.build({
    ...shared,
    entryPoints: [source],
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outfile,
  });
  const require = createRequire(outfile);
  delete require.cache[outfile];
  const { prerender, texts } = require(outfile);
  return { screens: prerender(), texts: texts?.() };
}

async function inlined(source, shared) {
  const { outputFiles } = await esbuild.build({
    ...shared,
    minify: true,
    entryPoints: [source],
    format: 'iife',
    write: false,
  });
  const text = outputFiles[0].text.trim();
  if (text.includes('</') || text.includes('<!--')) throw new Error(`${source} cannot stand inside a script element`);
  return text;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [out, watch] = process.argv.slice(2);
  if (out === undefined || watch !== '--watch') throw new Error('usage: build.mjs OUT --watch');
  await watchIslands(resolve(out));
}
