// compress.mjs FOLDER: a .br and a .gz beside every file that gets smaller by it. cargo-leptos could do it, too
// (--precompress), but its .gz are 15 % larger, and it packs pictures and fonts for nothing.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const TEXT = /\.(js|css|wasm|svg|json|txt|webmanifest)$/;
const files = readdirSync(process.argv[2], { recursive: true, withFileTypes: true });
for (const file of files.filter((file) => file.isFile() && TEXT.test(file.name))) {
  const path = join(file.parentPath ?? file.path, file.name);
  const raw = readFileSync(path);
  const packed = {
    br: brotliCompressSync(raw, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length } }),
    gz: gzipSync(raw, { level: 9 }),
  };
  for (const [ending, bytes] of Object.entries(packed)) writeFileSync(`${path}.${ending}`, bytes);
}
