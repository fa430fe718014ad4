// Checks three sizes of dist/ against budgets: the bytes that a phone downloads, compressed with brotli.
// Raise a budget only with a reason in the commit.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

const DIST = "dist";

const { css, page, islands, entry, missing } = JSON.parse(
	readFileSync(`${DIST}/react/islands/manifest.json`, "utf8"),
);
const font = fileIn("site/fonts", ".woff2");
const wasm = fileIn("site/pkg", ".wasm.br");
const glue = fileIn("site/pkg", ".js.br");
const react = Object.values(islands).flatMap(({ js, imports, preload }) => [
	js,
	...imports,
	...preload,
]);

const consent =
	brotliCompressSync(entry + missing).length +
	size(font) +
	sizeOf(css) +
	sizeOf(page);
const modules = [...new Set(react)].map(sizeOf);
const journey = modules.reduce(
	(sum, bytes) => sum + bytes,
	consent + size(wasm) + size(glue),
);

report("until the consent works", consent, 32_500);
report("all files of the journey", journey, 256_500);
report("wasm module", size(wasm), 99_800);

/** The path of the only file in a folder with this ending. */
function fileIn(folder, ending) {
	const [name] = readdirSync(`${DIST}/${folder}`).filter((name) =>
		name.endsWith(ending),
	);
	return `${DIST}/${folder}/${name}`;
}

/** The compressed size of a file of esbuild. */
function sizeOf(url) {
	return size(`${DIST}/react${url}.br`);
}

function size(path) {
	return statSync(path).size;
}

/** Prints a size and its budget. Fails the check if the size is above it. */
function report(name, bytes, budget) {
	const fits = bytes <= budget;
	if (!fits) process.exitCode = 1;
	console.log(`${fits ? "✓" : "✗"} ${name}: ${bytes} of ${budget} bytes`);
}
