// Builds the site: React's islands and the style sheet with esbuild, the wasm module and its glue, file
// names with hashes, and compressed files.
import { createHash } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildIslands } from "../../islands-react/build.mjs";
import { compress } from "./compress.mjs";
import { buildStyles } from "./styles.mjs";
import { bindAndPack } from "./wasm.mjs";

/**
 * Builds islands and style sheet for `cargo leptos watch`, under names without hashes. The style sheet
 * is part of SITE; the islands have a folder next to it, which cargo-leptos does not clear.
 */
export async function buildWatched(site) {
	await buildIslands({ out: join(site, "../react"), watched: true });
	await writeFile(
		join(site, "pkg/vincula.css"),
		await buildStyles({ minify: false }),
	);
}

/**
 * Completes SITE, which already has the files of public/.
 * @param front the path of the wasm module that cargo has built
 * @returns the content of hash.txt, from which the server reads the hashes in file names
 */
export async function completeSite({ site, front, release }) {
	const { page } = await buildIslands({ out: site, watched: false });
	const { wasm, glue } = await bindAndPack(front, { release, page });
	const css = await buildStyles({ minify: true });
	const pkg = join(site, "pkg");
	await rm(pkg, { recursive: true, force: true });
	await mkdir(pkg);
	const hashes = [];
	for (const [ending, content] of [
		["css", css],
		["js", glue],
		["wasm", wasm],
	]) {
		const hash = createHash("sha256")
			.update(content)
			.digest("base64url")
			.slice(0, 22);
		await writeFile(join(pkg, `vincula.${hash}.${ending}`), content);
		hashes.push(`${ending}: ${hash}\n`);
	}
	if (release) await compress(site);
	return hashes.join("");
}
