/** Builds the wasm bridge (../bridge) for the pages that have no Leptos islands: a module of some kilobytes. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { shorten } from '../scripts/short-names.mjs';

const run = promisify(execFile);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** cargo-leptos's own folder for wasm: what both need is compiled once. */
const target = join(root, 'target/front');
const bound = join(target, 'bridge');
const profile = 'wasm-release';

/** As `wasm-opt-features` in Cargo.toml: other sets of features gave modules that browsers refused. */
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
 * Needs cargo, and wasm-bindgen and wasm-opt on the PATH (see the Makefile).
 * @returns the names of glue and module in `outdir`, hashed by content.
 */
export async function buildBridge(outdir, settings) {
  const args = ['--quiet', '--locked', '--package', 'vincula-bridge', '--profile', profile, '--target-dir', target];
  // A cdylib and nothing else: Cargo leaves a library that is an rlib, too, out of link-time optimisation.
  args.push('--lib', '--crate-type', 'cdylib', '--target', 'wasm32-unknown-unknown');
  await run('cargo', ['rustc', ...args], { cwd: root });
  const built = join(target, 'wasm32-unknown-unknown', profile, 'vincula_bridge.wasm');
  await run('wasm-bindgen', [built, '--target', 'web', '--no-typescript', '--out-dir', bound, '--out-name', 'bridge']);
  const module = join(bound, 'bridge_bg.wasm');
  await run('wasm-opt', [module, ...WASM_OPT, '-o', module]);
  const { outputFiles } = await esbuild.build({
    ...settings,
    entryPoints: [join(bound, 'bridge.js')],
    format: 'esm',
    minify: true,
    // The loader says where the module is.
    define: { 'import.meta.url': 'location.href' },
    write: false,
  });
  const { wasm, glue } = shorten(await readFile(module), outputFiles[0].text);
  return { js: await kept(outdir, 'js', glue), wasm: await kept(outdir, 'wasm', wasm) };
}

/** Writes a file under a name that changes with its content. */
async function kept(outdir, kind, content) {
  const name = `bridge-${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${kind}`;
  await writeFile(join(outdir, name), content);
  return name;
}
