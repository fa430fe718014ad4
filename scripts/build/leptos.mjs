// leptos.mjs build ARG…: cargo-leptos runs it in place of `cargo build ARG…` for the server
// (`bin-cargo-command` in Cargo.toml): after it has built the wasm module, and after each change. It
// builds the server, and the parts of the site that cargo-leptos does not build. Other commands are
// passed to Cargo.
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
	// cargo-leptos looks for this path. target/vincula links to the last build.
	const program = join(programs, "vincula");
	await replace(program, (path) => link(server, path));
	await replace(join(ROOT, "target/vincula"), (path) => symlink(program, path));
}

async function buildSite(site, release, hashFile) {
	// Imported here, because setup.sh has just installed the packages that they import.
	const { buildWatched, completeSite } = await import("./site.mjs");
	const { buildModule, moduleOfCargoLeptos } = await import("./wasm.mjs");
	if (LEPTOS_WATCH) {
		await removeHashes(join(site, "pkg"));
		await buildWatched(site);
		return;
	}
	// A release is built again, because the module of cargo-leptos contains paths of this machine:
	// cargo-leptos cannot pass flags that remove them.
	const front = release ? await buildModule(release) : moduleOfCargoLeptos();
	await writeFile(hashFile, await completeSite({ site, front, release }));
}

async function replace(path, create) {
	await rm(path, { force: true });
	await create(path);
}

/**
 * Removes the hashes from file names. cargo-leptos adds them only to its first build, and in watch mode
 * pages request names without hashes.
 */
async function removeHashes(pkg) {
	await mkdir(pkg, { recursive: true });
	for (const name of await readdir(pkg)) {
		const [, ending] = /^vincula\.[\w-]{22}\.(\w+)$/.exec(name) ?? [];
		if (ending) await rename(join(pkg, name), join(pkg, `vincula.${ending}`));
	}
}
