// Checks the sizes of dist/ against budgets: the bytes that a phone downloads, compressed with brotli.
// A budget is about 5 % above the measured size. Lower it when the product gets smaller; raise it only
// with a reason in the commit.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

const SITE = "dist/site";

const manifest = JSON.parse(
	readFileSync(join(SITE, "islands/manifest.json"), "utf8"),
);
const connectSdk = new Set(
	manifest.islands.connect.preload.map((url) => `${url.slice(1)}.br`),
);
const isIsland = (file) => /^islands\/(?!page-).*\.js\.br$/.test(file);

const FILES = [
	{
		name: "wasm module",
		bytes: 71_000,
		has: (file) => /^pkg\/vincula.*\.wasm\.br$/.test(file),
	},
	{
		name: "glue of the wasm module",
		bytes: 3_600,
		has: (file) => /^pkg\/vincula.*\.js\.br$/.test(file),
	},
	{
		name: "style sheet",
		bytes: 8_000,
		has: (file) => /^pkg\/vincula.*\.css\.br$/.test(file),
	},
	{
		name: "module of every page",
		bytes: 4_640,
		has: (file) => /^islands\/page-.*\.js\.br$/.test(file),
	},
	{
		name: "React islands without the Connect SDK",
		bytes: 78_800,
		has: (file) => isIsland(file) && !connectSdk.has(file),
	},
	{
		name: "Connect SDK",
		bytes: 28_300,
		has: (file) => connectSdk.has(file),
	},
	{
		name: "font",
		bytes: 17_600,
		has: (file) => /^fonts\/.*\.woff2$/.test(file),
	},
];

/** Scripts inlined into HTML: `begin` and `entry` in the entry, `missing` in documents with islands. */
const INLINE = { begin: 465, entry: 2_320, missing: 317 };

const files = readdirSync(SITE, { recursive: true, encoding: "utf8" });
for (const { name, bytes, has } of FILES) {
	const counted = files.filter(has);
	const sizes = counted.map((file) => statSync(join(SITE, file)).size);
	const total = sizes.reduce((sum, size) => sum + size, 0);
	if (counted.length === 0) report(name, Number.NaN, bytes);
	else report(name, total, bytes);
}
for (const [name, bytes] of Object.entries(INLINE)) {
	const { length } = brotliCompressSync(manifest[name]);
	report(`inline script "${name}"`, length, bytes);
}

/** Prints a size and its budget. Fails the check if the size is above it, or not a number. */
function report(name, size, budget) {
	const fits = size <= budget;
	if (!fits) process.exitCode = 1;
	console.log(`${fits ? "✓" : "✗"} ${name}: ${size} of ${budget} bytes`);
}
