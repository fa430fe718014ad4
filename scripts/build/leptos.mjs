// leptos.mjs build ARG…: cargo-leptos runs it instead of `cargo build ARG…` for the server (`bin-cargo-command` in
// Cargo.toml), at the start after it has built the wasm module, later at each change. It builds the server, and of the site
// what cargo-leptos does not build. Other commands are Cargo's.
import {
	link,
	mkdir,
	readdir,
	rename,
	rm,
	symlink,
	writeFile,
} from "node:fs/promises";
import { join, resolve } from "node:path";
import { buildServer, ROOT, run } from "./cargo.mjs";

const [command, ...args] = process.argv.slice(2);
const { LEPTOS_SITE_ROOT = "target/site", LEPTOS_WATCH } = process.env;

try {
	if (command === "build") await build();
	else await run("cargo", [command, ...args]);
} catch (error) {
	console.error(`✗ ${error.message}`);
	process.exit(1);
}

async function build() {
	await run("scripts/setup.sh", ["node", "islands-react"]);
	const release = args.includes("--release");
	const site = resolve(ROOT, LEPTOS_SITE_ROOT);
	const programs = join(ROOT, "target", release ? "release" : "debug");
	const rest = args.filter(
		(arg) => !["--release", "--bin=vincula"].includes(arg),
	);
	const [server] = await Promise.all([
		buildServer(release, rest),
		buildSite(site, release, join(programs, "hash.txt")),
	]);
	// Where cargo-leptos looks for it; target/vincula is the one that was built last.
	const program = join(programs, "vincula");
	await replace(program, (path) => link(server, path));
	await replace(join(ROOT, "target/vincula"), (path) => symlink(program, path));
}

async function buildSite(site, release, hashFile) {
	// They import packages that are there only now.
	const { buildWatched, completeSite } = await import("./site.mjs");
	const { builtModule } = await import("./wasm.mjs");
	if (LEPTOS_WATCH) {
		await removeHashes(join(site, "pkg"));
		await buildWatched(site);
		return;
	}
	// From cargo's own output, because cargo-leptos has minified the glue of a release, and wasm-opt is of any version there.
	const front = builtModule("target/front", "vincula-front", release);
	await writeFile(hashFile, await completeSite({ site, front, release }));
}

async function replace(path, create) {
	await rm(path, { force: true });
	await create(path);
}

/** cargo-leptos sets hashes in names once only, at the start; the page asks for names that stay. */
async function removeHashes(pkg) {
	await mkdir(pkg, { recursive: true });
	for (const name of await readdir(pkg)) {
		const [, ending] = /^vincula\.[\w-]{22}\.(\w+)$/.exec(name) ?? [];
		if (ending) await rename(join(pkg, name), join(pkg, `vincula.${ending}`));
	}
}
