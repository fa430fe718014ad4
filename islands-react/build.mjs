/**
 * Builds the islands and the wasm bridge to ../public/islands, and the stand-in Connect page to ../public/sandbox.
 *
 *   node build.mjs           production: hashed names, .br and .gz beside each file
 *   node build.mjs --watch   development: entries without hash, rebuilt on every change (but the bridge)
 *
 * The server finds the islands in ../public/islands/manifest.json, which is written last and by rename:
 *   { "<island>": { js, imports, preload, screens, early }, "bridge": { js, wasm } }
 * js: the module to import; imports: what it imports statically, to be `modulepreload`ed with it; preload: what it
 * imports later and is worth fetching early; screens: the prerendered ones by name, with {{tokens}};
 * early: a script to put after them with the page's nonce.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import * as esbuild from 'esbuild';
import { buildBridge } from './bridge.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const islandsDir = join(here, '../public/islands');
const sandboxDir = join(here, '../public/sandbox');
const cacheDir = join(here, 'node_modules/.cache/vincula');
const watch = process.argv.includes('--watch');

const islands = {
  consent: 'src/consent/index.tsx',
  'bank-form': 'src/bank-form/index.tsx',
  connect: 'src/connect/index.tsx',
};

/** Cheap phones' WebViews are often years old; this lowers syntax only and costs under 1 %. */
const target = ['es2020', 'chrome87', 'safari14', 'firefox85'];

const shared = {
  absWorkingDir: here,
  bundle: true,
  minify: !watch,
  target,
  // Safari 14 destructures; esbuild counts it out for a rare fault in nested default values, which we do not write.
  supported: { destructuring: true },
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': watch ? '"development"' : '"production"' },
  logLevel: 'warning',
};

const islandsBuild = {
  ...shared,
  entryPoints: islands,
  format: 'esm',
  splitting: true,
  outdir: islandsDir,
  entryNames: watch ? '[name]' : '[name]-[hash]',
  chunkNames: 'chunk-[hash]',
  metafile: true,
  plugins: [afterwards(finishIslands)],
};

const standInBuild = {
  ...shared,
  entryPoints: { connect: 'src/stand-in/index.ts' },
  format: 'iife',
  outdir: sandboxDir,
  plugins: [afterwards(finishStandIn)],
};

await assertOneZoid();
await mkdir(islandsDir, { recursive: true });
await mkdir(sandboxDir, { recursive: true });
const bridge = await buildBridge(islandsDir, shared);
for (const options of [islandsBuild, standInBuild]) {
  if (watch) await (await esbuild.context(options)).watch();
  else await esbuild.build(options);
}

function afterwards(finish) {
  return {
    name: 'afterwards',
    setup: (build) => build.onEnd((result) => (result.errors.length === 0 ? finish(result) : undefined)),
  };
}

async function finishIslands({ metafile }) {
  const outputs = Object.fromEntries(Object.entries(metafile.outputs).map(([path, output]) => [urlOf(path), output]));
  const entries = Object.entries(islands).map(async ([name, source]) => [name, await entry(outputs, name, source)]);
  const manifest = Object.fromEntries(await Promise.all(entries));
  const names = Object.keys(outputs).map((url) => url.slice('/islands/'.length));
  manifest.bridge = { js: `/islands/${bridge.js}`, wasm: `/islands/${bridge.wasm}` };
  names.push(bridge.js, bridge.wasm);
  const sizes = watch ? {} : await compress(islandsDir, names);
  await writeManifest(manifest);
  await removeStale(names);
  const chunks = names.filter((name) => /\.(js|wasm)$/.test(name)).map((name) => `${name} ${sizes[name] ?? ''}`.trim());
  console.log(`islands: ${chunks.join(', ')}${watch ? '' : ' (bytes br)'}`);
}

async function entry(outputs, name, source) {
  const js = Object.keys(outputs).find((url) => outputs[url].entryPoint === source);
  const statics = reach(outputs, [js], 'import-statement');
  return {
    js,
    imports: statics.filter((url) => url !== js),
    preload: [...new Set(statics.flatMap((url) => importsOf(outputs, url, 'dynamic-import')))],
    screens: await prerendered(`src/${name}/prerender.tsx`),
    early: await inlined(`src/${name}/early.ts`),
  };
}

async function finishStandIn() {
  await copyFile(join(here, 'src/stand-in/connect.css'), join(sandboxDir, 'connect.css'));
  if (!watch) await compress(sandboxDir, ['connect.js', 'connect.css']);
}

function urlOf(path) {
  return path.replace(/^.*public\/islands\//, '/islands/');
}

function importsOf(outputs, url, kind) {
  return outputs[url].imports.filter((one) => one.kind === kind && !one.external).map((one) => urlOf(one.path));
}

/** Everything that can be reached from some outputs over imports of one kind, themselves included. */
function reach(outputs, from, kind) {
  const reached = new Set(from);
  for (const url of reached) for (const next of importsOf(outputs, url, kind)) reached.add(next);
  return [...reached];
}

/** An island's screens as HTML, rendered by the same component that later hydrates them. */
async function prerendered(source) {
  if (!existsSync(join(here, source))) return {};
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
  return require(outfile).prerender();
}

async function inlined(source) {
  if (!existsSync(join(here, source))) return null;
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

/** Writes .br and .gz beside each file; returns the brotli size of each. */
async function compress(dir, names) {
  const sizes = {};
  for (const name of names) {
    const bytes = await readFile(join(dir, name));
    const br = brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } });
    await writeFile(join(dir, `${name}.br`), br);
    await writeFile(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    sizes[name] = br.length;
  }
  return sizes;
}

async function writeManifest(manifest) {
  const unfinished = join(islandsDir, 'manifest.json.tmp');
  await writeFile(unfinished, `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(unfinished, join(islandsDir, 'manifest.json'));
}

async function removeStale(names) {
  const kept = new Set(['manifest.json', ...names, ...(watch ? [] : names.flatMap((n) => [`${n}.br`, `${n}.gz`]))]);
  for (const name of await readdir(islandsDir)) {
    if (!kept.has(name)) await rm(join(islandsDir, name), { force: true });
  }
}

/** Another zoid in the stand-in than in the SDK makes the host wait for ever, without an error. */
async function assertOneZoid() {
  const require = createRequire(join(here, 'package.json'));
  const sdkRequire = createRequire(require.resolve('pluggy-connect-sdk'));
  const ours = require('zoid/package.json').version;
  const theirs = sdkRequire('zoid/package.json').version;
  if (ours !== theirs) {
    throw new Error(
      `zoid ${ours} is installed, but pluggy-connect-sdk uses ${theirs}: pin zoid to ${theirs} in package.json`,
    );
  }
}
