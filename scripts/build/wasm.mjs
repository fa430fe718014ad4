// Builds wasm modules and their JavaScript glue with cargo, wasm-bindgen and wasm-opt.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { BASELINE } from '../../islands-react/baseline.mjs';
import { metadata, ROOT, run, rustFlags } from './cargo.mjs';

export const esbuild = createRequire(join(ROOT, 'islands-react/package.json'))('esbuild');

const TARGET = 'wasm32-unknown-unknown';
const WASM_OPT = join(ROOT, 'islands-react/node_modules/.bin/wasm-opt');

/** The part of Cargo.toml that cargo-leptos reads. */
export const SETTINGS = metadata().metadata.leptos[0];

/**
 * Builds the wasm module of a crate as cargo-leptos does: FOLDER/NAME.wasm, and its glue, an ES module, in FOLDER/NAME.js.
 * @param release small and optimised, else quick to build
 */
export async function buildModule({ crate, release, folder, name }) {
  const profile = release ? SETTINGS['lib-profile-release'] : 'dev';
  const args = ['build', '--locked', '--package', crate, '--profile', profile, '--target', TARGET];
  await run('cargo', args, rustFlags(release));
  const built = join(ROOT, 'target', TARGET, release ? profile : 'debug', `${crate.replaceAll('-', '_')}.wasm`);
  await run(wasmBindgen(), ['--target=web', '--no-typescript', `--out-dir=${folder}`, `--out-name=${name}`, built]);
  const module = join(folder, `${name}.wasm`);
  await rename(join(folder, `${name}_bg.wasm`), module);
  if (release) await run(WASM_OPT, [module, ...SETTINGS['wasm-opt-features'], '-o', module]);
}

/**
 * What is shipped of FOLDER/NAME.wasm and its glue. In a release the names by which they know each other become short:
 * wasm-bindgen's hold a hash each, which is 2 kB of what a phone downloads, compressed.
 * @returns module (bytes) and glue (text)
 */
export async function packModule({ release, folder, name }) {
  const module = join(folder, `${name}.wasm`);
  const js = join(folder, `${name}.js`);
  let source = await readFile(js, 'utf8');
  if (release) {
    const features = SETTINGS['wasm-opt-features'].filter((flag) => flag.startsWith('--enable-'));
    const minify = [module, ...features, '--minify-imports-and-exports-and-modules', '-o', module];
    source = withShortNames(source, execFileSync(WASM_OPT, minify, { encoding: 'utf8' }));
  }
  const { outputFiles } = await esbuild.build({
    stdin: { contents: source, resolveDir: folder, sourcefile: js },
    format: 'esm',
    bundle: true,
    minify: true,
    target: BASELINE,
    // Unused: the loader passes the module's URL.
    define: { 'import.meta.url': 'location.href' },
    write: false,
  });
  return { wasm: await readFile(module), glue: outputFiles[0].text };
}

/**
 * The glue with the names that wasm-opt has given to imports and exports.
 * @param mapping what wasm-opt prints: `{ imports: [[module, name, short]], exports: [[name, short]] }`
 */
function withShortNames(glue, mapping) {
  const { imports, exports } = JSON.parse(mapping);
  const shortImports = new Map(imports.map(([, name, short]) => [name, short]));
  const shortExports = new Map(exports);
  const found = new Set();
  const renamed = glue
    .replace(/^( +)([\w$]+)(?=: function)/gm, (all, indent, name) => {
      found.add(name);
      return shortImports.has(name) ? `${indent}${shortImports.get(name)}` : all;
    })
    .replace(/\bwasm\.([\w$]+)/g, (all, name) => (shortExports.has(name) ? `wasm.${shortExports.get(name)}` : all))
    // wasm-opt puts all imports into one module with this name.
    .replace(/"\.\/[\w$]+_bg\.js"(?=: import0)/, '"a"');
  const lost = [...shortImports.keys()].filter((name) => !found.has(name));
  if (lost.length > 0) throw new Error(`the glue does not have the imports ${lost}`);
  return renamed;
}

/** wasm-bindgen on the PATH, or else the one that cargo-leptos has downloaded. */
function wasmBindgen() {
  const onPath = process.env.PATH.split(delimiter).some((folder) => existsSync(join(folder, 'wasm-bindgen')));
  if (onPath) return 'wasm-bindgen';
  const { version } = metadata(['--locked']).packages.find(({ name }) => name === 'wasm-bindgen');
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), `cargo-leptos/wasm-bindgen-${version}`);
  const file = existsSync(cache) && readdirSync(cache, { recursive: true }).find((path) => /(^|\/)wasm-bindgen$/.test(path));
  if (!file) throw new Error(`wasm-bindgen ${version} is not on the PATH: make setup installs it`);
  return join(cache, file);
}
