// Size budgets of dist/: what a phone downloads, in brotli bytes. Lower a budget when the product gets smaller; raise
// it only with a reason in the commit. Each is 5 % above the measured size.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

const SITE = "dist/site";
const BUDGETS = {
	"wasm module": { files: /^pkg\/vincula.*\.wasm\.br$/, bytes: 71_200 },
	"its glue": { files: /^pkg\/vincula.*\.js\.br$/, bytes: 3_680 },
	stylesheet: { files: /^pkg\/vincula.*\.css\.br$/, bytes: 8_000 },
	"module of every page": { files: /^islands\/page-.*\.js\.br$/, bytes: 4_050 },
	"React islands without the Connect SDK": {
		files: /^islands\/(?!page-).*\.js\.br$/,
		bytes: 78_800,
		without: "connect",
	},
	"Connect SDK": {
		files: /^islands\/.*\.js\.br$/,
		bytes: 28_300,
		only: "connect",
	},
	font: { files: /^fonts\/.*\.woff2$/, bytes: 17_600 },
};
/** Inline: the first two in the entry, the last one in documents with islands. */
const INLINE = { begin: 465, entry: 2_320, missing: 317 };

const manifest = JSON.parse(
	readFileSync(join(SITE, "islands/manifest.json"), "utf8"),
);
const lazy = new Set(
	manifest.islands.connect.preload.map((url) => `${url.slice(1)}.br`),
);
const files = readdirSync(SITE, { recursive: true, encoding: "utf8" });
let over = 0;
for (const [
	name,
	{ files: pattern, bytes: budget, without, only },
] of Object.entries(BUDGETS)) {
	const counted = files.filter(
		(file) =>
			pattern.test(file) &&
			!(without && lazy.has(file)) &&
			!(only && !lazy.has(file)),
	);
	const bytes = counted.reduce(
		(sum, file) => sum + statSync(join(SITE, file)).size,
		0,
	);
	const fits = counted.length > 0 && bytes <= budget;
	if (!fits) over += 1;
	console.log(
		`${fits ? "✓" : "✗"} ${name}: ${bytes} of ${budget} bytes (${counted.length} files)`,
	);
}
for (const [name, budget] of Object.entries(INLINE)) {
	const bytes = brotliCompressSync(manifest[name]).length;
	if (bytes > budget) over += 1;
	console.log(
		`${bytes <= budget ? "✓" : "✗"} inline script "${name}": ${bytes} of ${budget} bytes`,
	);
}
process.exit(over > 0 ? 1 : 0);
