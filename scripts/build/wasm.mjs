// Builds a wasm module and its glue with cargo, wasm-bindgen and, for a release, wasm-opt. The last two have to be on
// the PATH (see the Makefile).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BASELINE } from '../../islands-react/baseline.mjs';
import { shorten } from './short-names.mjs';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const esbuild = createRequire(join(ROOT, 'islands-react/package.json'))('esbuild');

const TARGET = 'wasm32-unknown-unknown';

/** As `wasm-opt-features` in Cargo.toml: with other sets of features browsers rejected the modules. */
const WASM_OPT = [
  '-Oz',
  '--enable-bulk-memory',
  '--enable-nontrapping-float-to-int',
  '--enable-sign-ext',
  '--enable-mutable-globals',
  '--enable-reference-types',
  '--enable-multivalue',
];

/**
 * Builds the wasm module of a crate.
 * @param crate its package name
 * @param release small and optimised, else quick to build
 * @returns module (bytes) and glue (an ES module as text). The loader passes the module's URL to the glue.
 */
export async function buildWasm({ crate, release }) {
  const profile = release ? 'wasm-release' : 'dev';
  const args = ['build', '--locked', '--package', crate, '--profile', profile, '--target', TARGET];
  await run('cargo', args, cargoEnvironment(release));
  const name = crate.replaceAll('-', '_');
  const built = join(ROOT, 'target', TARGET, release ? profile : 'debug');
  const bound = join(built, 'bound');
  const web = ['--target', 'web', '--no-typescript', '--out-dir', bound, '--out-name', name];
  await run('wasm-bindgen', [...web, join(built, `${name}.wasm`)]);
  const module = join(bound, `${name}_bg.wasm`);
  if (release) await run('wasm-opt', [module, ...WASM_OPT, '-o', module]);
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(bound, `${name}.js`)],
    format: 'esm',
    bundle: true,
    minify: true,
    target: BASELINE,
    // Unused: the loader passes the module's URL.
    define: { 'import.meta.url': 'location.href' },
    write: false,
  });
  const [wasm, glue] = [await readFile(module), outputFiles[0].text];
  return release ? shorten(wasm, glue) : { wasm, glue };
}

/**
 * Replaces the flags in .cargo/config.toml: in a release each view has its own type, which makes less code. rustc embeds paths
 * of sources for panic messages; a release does not show who built it and where. Flags are separated by 0x1f, since the names
 * of folders may contain spaces. If both folders match, the last one counts.
 */
export function cargoEnvironment(release) {
  const paths = [[homedir(), '/home'], [ROOT, '/vincula']];
  const flags = paths.map(([folder, name]) => `--remap-path-prefix=${folder}=${name}`);
  return release ? { CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f') } : {};
}

/** Runs a command in the project's folder, with its output shown. */
export async function run(command, args, env = {}) {
  const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ${args[0]} ended with ${code ?? signal}`);
}
