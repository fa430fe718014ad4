// make same-release: in a clean clone, `cargo leptos build --release` and `make dist` must make the same
// program and site, without paths of this machine. Third-party crates may have been built for an earlier
// clone.
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import {
	cleanClone,
	compare,
	filesIn,
	runIn,
	SHARED_BUILDS,
} from "./clean-clone.mjs";

const CLONE = cleanClone("target/same-release/clone");

runIn(CLONE, "cargo", ["leptos", "build", "--release"], SHARED_BUILDS);
const one = product("target/release", "target/site");
runIn(CLONE, "scripts/dist.sh", [], SHARED_BUILDS);
const other = product("dist", "dist/site");
compare("cargo leptos build --release and make dist", one, other);
for (const [name, content] of other) {
	for (const path of [`${homedir()}/`, CLONE]) {
		if (content.includes(path)) throw new Error(`${name} contains ${path}`);
	}
}

/** The program, the list of hashed names, and the site. */
function product(programs, site) {
	const files = filesIn(join(CLONE, site));
	for (const name of ["vincula", "hash.txt"])
		files.set(`../${name}`, readFileSync(join(CLONE, programs, name)));
	return files;
}
