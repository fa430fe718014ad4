// What the site has besides the output of cargo and wasm-bindgen: React's islands and the style sheet, which esbuild
// builds; names with hashes, and compressed files.
import { createHash } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildIslands } from "../../islands-react/build.mjs";
import { compress } from "./compress.mjs";
import { buildStyles } from "./styles.mjs";
import { bindAndPack } from "./wasm.mjs";

/** Names that do not change, for `cargo leptos watch`: the style sheet in SITE, all else beside it, where it is kept. */
export async function buildWatched(site) {
	await buildIslands({ out: join(site, "../react"), watched: true });
	await writeFile(
		join(site, "pkg/vincula.css"),
		await buildStyles({ minify: false }),
	);
}

/**
 * Completes SITE, in which the files of public/ are.
 * @param front the path of the wasm module, as cargo has built it
 * @returns the hashes in the files' names, as the server reads them from hash.txt
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
