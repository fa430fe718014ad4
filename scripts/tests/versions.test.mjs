// Versions that are pinned in several files are equal.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

function pinned(file, pattern) {
  const found = pattern.exec(read(file))?.[1];
  assert.ok(found, `${file} pins none`);
  return `${found} in ${file}`;
}

test('wasm-bindgen is one version everywhere', () => {
  const version = /^WASM_BINDGEN := (\S+)$/m.exec(read('Makefile'))[1];
  assert.equal(pinned('Cargo.toml', /^wasm-bindgen = "=([\d.]+)"/m), `${version} in Cargo.toml`);
  const tool = 'scripts/wasm-bindgen/Cargo.toml';
  assert.equal(pinned(tool, /^wasm-bindgen-cli-support = "=([\d.]+)"/m), `${version} in ${tool}`);
  assert.equal(pinned(tool, /^version = "([\d.]+)"/m), `${version} in ${tool}`);
});

test('Rust is one exact version everywhere', () => {
  const version = /^channel = "(\d+\.\d+\.\d+)"$/m.exec(read('rust-toolchain.toml'))?.[1];
  assert.ok(version, 'rust-toolchain.toml names an exact version');
  assert.equal(pinned('Containerfile', /rust:([\d.]+)-/), `${version} in Containerfile`);
});

test('base images are exact versions', () => {
  const images = [...read('Containerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  assert.ok(images.length >= 3);
  for (const image of images.filter((image) => image !== '${RUNTIME}')) assert.match(image, /:\d+\.\d+\.\d+-|@sha256:/);
});

test('zoid is one version everywhere', () => {
  const of = (file) => JSON.parse(read(file)).devDependencies.zoid;
  assert.match(of('end2end/package.json'), /^\d/);
  assert.equal(of('end2end/package.json'), of('islands-react/package.json'));
});
