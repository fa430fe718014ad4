// Writes a .br and a .gz for every text file and wasm module, unless it is not smaller than the file.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TEXT = /\.(js|css|wasm|svg|json|txt|webmanifest)$/;

export async function compress(folder) {
	const files = await readdir(folder, { recursive: true, withFileTypes: true });
	for (const file of files.filter(
		(file) => file.isFile() && TEXT.test(file.name),
	)) {
		const path = join(file.parentPath ?? file.path, file.name);
		const raw = await readFile(path);
		const params = {
			[constants.BROTLI_PARAM_QUALITY]: 11,
			[constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
		};
		const packed = {
			br: brotliCompressSync(raw, { params }),
			gz: gzipSync(raw, { level: 9 }),
		};
		for (const [ending, bytes] of Object.entries(packed)) {
			if (bytes.length < raw.length) {
				await writeFile(`${path}.${ending}`, bytes);
			}
		}
	}
}
