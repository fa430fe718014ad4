/**
 * build.mjs OUT [--watched]: builds the page's module, React's islands and the style sheet with esbuild.
 * With --watched, they are built for development, under names without hashes.
 *
 * The server reads OUT/islands/manifest.json, which is written last and by rename:
 *
 *   css       URL of the style sheet
 *   islands   by name:
 *     js        URL of the module
 *     imports   URLs of its static imports, for `modulepreload`
 *     preload   URLs of its dynamic imports, which are worth fetching early
 *     screen    prerendered HTML, with {{tokens}}
 *   page      URL of the page's module
 *   entry     script that the server inlines in the entry
 *   missing   script that the server inlines in documents with islands
 */
import {
	copyFile,
	mkdir,
	readdir,
	rename,
	rm,
	writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { BASELINE } from "./baseline.mjs";
import { customMedia } from "./custom-media.mjs";

const here = dirname(fileURLToPath(import.meta.url));

const sourceOf = (name) => `src/${name}/index.tsx`;

const COMMON = {
	absWorkingDir: here,
	bundle: true,
	target: BASELINE,
	jsx: "automatic",
	logLevel: "warning",
};
const SHIPPED = {
	...COMMON,
	minify: true,
	define: { "process.env.NODE_ENV": '"production"' },
};
const WATCHED = {
	...COMMON,
	minify: false,
	define: { "process.env.NODE_ENV": '"development"' },
};

const [out, mode] = process.argv.slice(2);
await build(resolve(out), mode === "--watched");

/**
 * Builds all files: those with an entry in the manifest into OUT/islands, and the script of the
 * sandbox's Connect page into OUT/sandbox.
 */
async function build(out, watched) {
	const folder = join(out, "islands");
	const settings = watched ? WATCHED : SHIPPED;
	await mkdir(folder, { recursive: true });
	await mkdir(join(out, "sandbox"), { recursive: true });
	await copyFile(
		join(here, "node_modules/zoid/dist/zoid.frame.min.js"),
		join(out, "sandbox/zoid.js"),
	);
	const modules = {
		...settings,
		format: "esm",
		outdir: folder,
		entryNames: watched ? "[name]" : "[name]-[hash]",
		metafile: true,
	};
	const { screens } = await prerendered(settings);
	const { metafile } = await esbuild.build({
		...modules,
		entryPoints: Object.fromEntries(
			Object.keys(screens).map((name) => [name, sourceOf(name)]),
		),
		splitting: true,
		chunkNames: "chunk-[hash]",
	});
	// A build of its own: with the islands' build it would share a chunk of a few URLs, which every page
	// would have to load.
	const { metafile: page } = await esbuild.build({
		...modules,
		entryPoints: { page: "src/page/index.ts" },
	});
	const [pageModule] = Object.keys(page.outputs);
	const { metafile: css } = await esbuild.build({
		...modules,
		entryPoints: { vincula: "../style/main.css" },
		plugins: [customMedia],
		// The server serves these files under their own URLs.
		external: ["/fonts/*", "/illustrations/*"],
	});
	const [styleSheet] = Object.keys(css.outputs);
	const manifest = {
		css: urlOf(styleSheet),
		islands: islands(screens, metafile.outputs),
		page: urlOf(pageModule),
		entry: await inlined("src/page/entry.ts", settings),
		missing: await inlined("src/page/missing.ts", settings),
	};
	const unfinished = join(folder, "manifest.json.tmp");
	await writeFile(unfinished, `${JSON.stringify(manifest, null, 2)}\n`);
	await rename(unfinished, join(folder, "manifest.json"));
	await removeOthers(folder, [
		...Object.keys(metafile.outputs),
		pageModule,
		styleSheet,
	]);
}

/** Removes the files of earlier builds. */
async function removeOthers(folder, outputs) {
	const kept = new Set(
		[...outputs, "manifest.json"].map((path) => basename(path)),
	);
	for (const name of await readdir(folder)) {
		if (!kept.has(name)) await rm(join(folder, name));
	}
}

/** The islands' entries in the manifest. */
function islands(screens, outputs) {
	const entries = Object.entries(screens).map(([name, screen]) => [
		name,
		{ ...filesOf(name, outputs), screen },
	]);
	return Object.fromEntries(entries);
}

/** The URLs of an island's module, its static and its dynamic imports. */
function filesOf(name, outputs) {
	const entry = Object.keys(outputs).find(
		(path) => outputs[path].entryPoint === sourceOf(name),
	);
	const statics = new Set([entry]);
	// The loop also visits what it adds.
	for (const path of statics) {
		for (const next of importsOf(outputs[path], "import-statement"))
			statics.add(next);
	}
	const dynamics = new Set(
		[...statics].flatMap((path) => importsOf(outputs[path], "dynamic-import")),
	);
	const [js, ...imports] = [...statics].map(urlOf);
	return { js, imports, preload: [...dynamics].map(urlOf) };
}

function importsOf(output, kind) {
	return output.imports
		.filter((one) => one.kind === kind && !one.external)
		.map(({ path }) => path);
}

function urlOf(path) {
	return path.replace(/^.*\/islands\/(?=[^/]+$)/, "/islands/");
}

/** Builds src/prerender.tsx for Node and returns its exports. */
async function prerendered(settings) {
	const outfile = join(here, "node_modules/.cache/vincula/prerender.cjs");
	const forNode = { platform: "node", format: "cjs", target: "node20" };
	await esbuild.build({
		...settings,
		...forNode,
		entryPoints: ["src/prerender.tsx"],
		outfile,
	});
	return createRequire(outfile)(outfile);
}

/** Builds a script for inlining into HTML, and returns its source. */
async function inlined(source, settings) {
	const built = await esbuild.build({
		...settings,
		minify: true,
		entryPoints: [source],
		format: "iife",
		write: false,
	});
	const text = built.outputFiles[0].text.trim();
	if (text.includes("</") || text.includes("<!--"))
		throw new Error(`${source} cannot be inlined in a script element`);
	return text;
}
