// A release contains no paths of the machine that built it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const CHECK = new URL('../build/check-paths.mjs', import.meta.url).pathname;

/** Runs the check on a folder with one file, on a machine with these folders. */
function checked(content, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'vincula-built-'));
  try {
    mkdirSync(join(folder, 'site/pkg'), { recursive: true });
    writeFileSync(join(folder, 'site/pkg/vincula.wasm'), content);
    return spawnSync(process.execPath, [CHECK, folder], { encoding: 'utf8', env: { ...process.env, ...env } });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a path of the build machine is found, wherever it is in the file', () => {
  const env = { CARGO_HOME: '/opt/some body/.cargo' };
  const bytes = Buffer.concat([Buffer.from([0, 0xff, 0x80]), Buffer.from('message/opt/some body/.cargo/registry/src/a.rs')]);
  const { status, stderr } = checked(bytes, env);
  assert.equal(status, 1);
  assert.match(stderr, /vincula\.wasm: \/opt\/some body\/\.cargo\/ 1 times/);
});

test('their replacements are not', () => {
  const { status, stderr } = checked('a /cargo/registry/src/a.rs /vincula/src/b.rs /rustc/abc/library/core/src/c.rs');
  assert.equal(status, 0, stderr);
});

test('a short folder is distinguished from the ends of other paths', () => {
  assert.equal(checked('/cargo/registry/src/a.rs', { CARGO_HOME: '/src' }).status, 0);
  assert.equal(checked('"/src/registry/a.rs', { CARGO_HOME: '/src' }).status, 1);
});
