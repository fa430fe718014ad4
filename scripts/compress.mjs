// compress.mjs FOLDER…: writes a .br and a .gz for every text file and wasm module, unless it is not smaller
// than the file.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TEXT = /\.(js|css|wasm|svg|json|txt|webmanifest)$/;

for (const folder of process.argv.slice(2)) {
	const names = await readdir(folder, { recursive: true });
	for (const name of names.filter((name) => TEXT.test(name)))
		await compress(join(folder, name));
}

async function compress(path) {
	const raw = await readFile(path);
	const params = { [constants.BROTLI_PARAM_SIZE_HINT]: raw.length };
	const packed = {
		br: brotliCompressSync(raw, { params }),
		gz: gzipSync(raw, { level: 9 }),
	};
	for (const [ending, bytes] of Object.entries(packed)) {
		if (bytes.length < raw.length) await writeFile(`${path}.${ending}`, bytes);
	}
}
