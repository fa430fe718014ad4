// What the site has besides the output of cargo and wasm-bindgen: React's islands, the bridge and the style sheet, which
// esbuild builds; names with hashes, and compressed files.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildIslands } from '../../islands-react/build.mjs';
import { ROOT } from './cargo.mjs';
import { compress } from './compress.mjs';
import { buildStyles } from './styles.mjs';
import { buildModule, packModule } from './wasm.mjs';

/** Names that do not change, for `cargo leptos watch`: the style sheet in SITE, all else beside it, where it is kept. */
export async function buildWatched(site) {
  const bridge = join(ROOT, 'target/bridge');
  await buildModule({ crate: 'vincula-bridge', release: false, folder: bridge, name: 'bridge' });
  const [wasm, glue] = [await readFile(join(bridge, 'bridge.wasm')), await readFile(join(bridge, 'bridge.js'))];
  await buildIslands({ out: join(site, '../react'), bridge: { wasm, glue }, watched: true });
  await writeFile(join(site, 'pkg/vincula.css'), await buildStyles({ minify: false }));
}

/**
 * Completes SITE, in which pkg/vincula.js and pkg/vincula.wasm are.
 * @returns the hashes in the files' names, as the server reads them from hash.txt
 */
export async function completeSite({ site, release }) {
  const bridge = join(ROOT, 'target/bridge');
  await buildModule({ crate: 'vincula-bridge', release, folder: bridge, name: 'bridge' });
  await buildIslands({ out: site, bridge: await packModule({ release, folder: bridge, name: 'bridge' }), watched: false });
  const pkg = join(site, 'pkg');
  const { wasm, glue } = await packModule({ release, folder: pkg, name: 'vincula' });
  await rm(pkg, { recursive: true });
  await mkdir(pkg);
  const hashes = [];
  for (const [ending, content] of [['css', await buildStyles({ minify: true })], ['js', glue], ['wasm', wasm]]) {
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
    await writeFile(join(pkg, `vincula.${hash}.${ending}`), content);
    hashes.push(`${ending}: ${hash}\n`);
  }
  if (release) await compress(site);
  return hashes.join('');
}
