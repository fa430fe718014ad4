// quick.mjs debug|release FOLDER: builds program and site into FOLDER, as `cargo leptos build` does, but
// without cargo-leptos, which takes eight minutes to install. FOLDER is replaced once everything is built.
import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { buildServer, ROOT } from "./cargo.mjs";
import { completeSite } from "./site.mjs";
import { buildModule } from "./wasm.mjs";

const [kind, folder] = process.argv.slice(2);
if (!["debug", "release"].includes(kind) || folder === undefined) {
	console.error("usage: quick.mjs debug|release FOLDER");
	process.exit(2);
}
const release = kind === "release";
const destination = resolve(folder);
const unfinished = `${destination}.new`;
const site = join(unfinished, "site");

await rm(unfinished, { recursive: true, force: true });
await mkdir(unfinished, { recursive: true });
await cp(join(ROOT, "public"), site, { recursive: true });
const server = await say(
	`building the server (${kind}; the first time takes some minutes)`,
	() => buildServer(release),
);
const front = await say("building the wasm module", () => buildModule(release));
const hashes = await say("building the rest of the site", () =>
	completeSite({ site, front, release }),
);
await writeFile(join(unfinished, "hash.txt"), hashes);
await cp(server, join(unfinished, "vincula"));
await rm(destination, { recursive: true, force: true });
await rename(unfinished, destination);

/** Prints the step, runs it, and prints how long it took. */
async function say(what, act) {
	const started = performance.now();
	console.log(`▸ ${what}`);
	const result = await act();
	console.log(
		`✓ ${what} (${Math.round((performance.now() - started) / 1000)} s)`,
	);
	return result;
}
