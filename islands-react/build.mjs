/**
 * Builds the islands and the wasm bridge to OUT/islands, and what the sandbox's Connect page needs to OUT/sandbox.
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
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { buildWasm } from '../scripts/build/wasm.mjs';
import { BASELINE } from './baseline.mjs';

const here = dirname(fileURLToPath(import.meta.url));

const ISLANDS = ['consent', 'bank-form', 'connect'];

const sourceOf = (name) => `src/${name}/index.tsx`;

const [, program, out, option] = process.argv;
const watch = program === fileURLToPath(import.meta.url) && option === '--watch';

const SETTINGS = {
  absWorkingDir: here,
  bundle: true,
  minify: !watch,
  target: BASELINE,
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': watch ? '"development"' : '"production"' },
  logLevel: 'warning',
};

/**
 * Builds once, or on every change.
 * @param out the folder of the site
 * @param release whether the bridge is optimised
 */
export async function buildIslands({ out, release }) {
  const folder = join(out, 'islands');
  // Names contain hashes: a folder that is watched once more would keep the files of the time before.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await mkdir(join(out, 'sandbox'), { recursive: true });
  await copyFile(join(here, 'node_modules/zoid/dist/zoid.frame.min.js'), join(out, 'sandbox/zoid.js'));
  const bridge = await buildBridge(folder, release);
  const finish = ({ errors, metafile }) => errors.length === 0 && writeManifest(metafile.outputs, folder, bridge);
  const islands = await esbuild.context({
    ...SETTINGS,
    entryPoints: Object.fromEntries(ISLANDS.map((name) => [name, sourceOf(name)])),
    format: 'esm',
    splitting: true,
    outdir: folder,
    entryNames: watch ? '[name]' : '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    metafile: true,
    plugins: [{ name: 'manifest', setup: (build) => build.onEnd(finish) }],
  });
  if (watch) return islands.watch();
  await islands.rebuild();
  await islands.dispose();
}

/** The wasm bridge for pages without Leptos islands: a module of a few kilobytes. File names contain its hash. */
async function buildBridge(folder, release) {
  const built = await buildWasm({ crate: 'vincula-bridge', release });
  const write = async (kind, content) => {
    const name = `bridge-${sha256(content).slice(0, 12)}.${kind}`;
    await writeFile(join(folder, name), content);
    return `/islands/${name}`;
  };
  return { js: await write('js', built.glue), wasm: await write('wasm', built.wasm) };
}

async function writeManifest(outputs, folder, bridge) {
  const prerendered = await prerender();
  const entries = ISLANDS.map((name) => {
    const path = Object.keys(outputs).find((one) => outputs[one].entryPoint === sourceOf(name));
    const statics = new Set([path]);
    for (const one of statics) for (const next of importsOf(outputs[one], 'import-statement')) statics.add(next);
    const dynamics = new Set([...statics].flatMap((one) => importsOf(outputs[one], 'dynamic-import')));
    const [js, ...imports] = [...statics].map(urlOf);
    return [name, { js, imports, preload: [...dynamics].map(urlOf), ...prerendered[name] }];
  });
  const manifest = {
    islands: Object.fromEntries(entries),
    bridge,
    begin: await inlined('src/page/begin.ts'),
    script: await inlined('src/page/index.ts'),
  };
  const unfinished = join(folder, 'manifest.json.tmp');
  await writeFile(unfinished, `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(unfinished, join(folder, 'manifest.json'));
}

function importsOf(output, kind) {
  return output.imports.filter((one) => one.kind === kind && !one.external).map(({ path }) => path);
}

function urlOf(path) {
  return path.replace(/^.*\/islands\/(?=[^/]+$)/, '/islands/');
}

/** The screens of each island; of the consent, which texts they are, too. */
async function prerender() {
  const { consentScreens, consentTexts, bankFormScreens, connectScreens } = await rendered();
  const hashes = Object.entries(consentTexts()).map(([name, text]) => [name, sha256(text)]);
  // All texts that were ever shown: pages of the version before are still open when this one starts.
  const files = await readdir(join(here, '../docs/consent'));
  const known = files.filter((name) => name.endsWith('.txt')).map((name) => basename(name, '.txt'));
  return {
    consent: { screens: consentScreens(), texts: { ...Object.fromEntries(hashes), known } },
    'bank-form': { screens: bankFormScreens() },
    connect: { screens: connectScreens() },
  };
}

/** The consent's texts by the names of its screens, for scripts/consent-text.mjs. */
export async function consentTexts() {
  return (await rendered()).consentTexts();
}

export function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

/** src/prerender.tsx, built for Node. */
async function rendered() {
  const outfile = join(here, 'node_modules/.cache/vincula/prerender.cjs');
  const forNode = { platform: 'node', format: 'cjs', target: 'node20' };
  await esbuild.build({ ...SETTINGS, ...forNode, entryPoints: ['src/prerender.tsx'], outfile });
  const require = createRequire(outfile);
  delete require.cache[outfile];
  return require(outfile);
}

async function inlined(source) {
  const own = { minify: true, entryPoints: [source], format: 'iife', write: false };
  const built = await esbuild.build({ ...SETTINGS, ...own });
  const text = built.outputFiles[0].text.trim();
  if (text.includes('</') || text.includes('<!--')) throw new Error(`${source} cannot stand inside a script element`);
  return text;
}

if (watch) await buildIslands({ out: resolve(out), release: false });
