// A clean clone of the project, for checks of what works in one: every file that is not ignored by Git, as
// it is in the working copy, and nothing that a build has made.
import { execFileSync, spawnSync } from "node:child_process";
import {
	cpSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Replaces `folder` by a clean clone. Returns its path. */
export function cleanClone(folder) {
	const clone = resolve(folder);
	rmSync(clone, { recursive: true, force: true });
	const deleted = new Set(listed("--deleted"));
	for (const file of listed("--cached", "--others", "--exclude-standard")) {
		if (deleted.has(file)) continue;
		mkdirSync(dirname(join(clone, file)), { recursive: true });
		cpSync(file, join(clone, file));
	}
	return clone;
}

function listed(...options) {
	const output = execFileSync("git", ["ls-files", "-z", ...options], {
		encoding: "utf8",
	});
	return output.split("\0").filter(Boolean);
}

/**
 * This environment, with a build folder that only clean clones share, so that third-party crates are built
 * once. If a clone shared the folder of this working copy, Cargo would take crates of the one for those of
 * the other: it identifies them by their path in the workspace, and compares only the times of files.
 */
export const SHARED_BUILDS = {
	...process.env,
	CARGO_BUILD_BUILD_DIR: resolve(
		process.env.CARGO_BUILD_BUILD_DIR ?? "target",
		"clean-clone",
	),
};

/** Runs a command in a folder. Throws with its output if it fails. */
export function runIn(folder, command, args, env) {
	const { status, stdout, stderr, error } = spawnSync(command, args, {
		cwd: folder,
		env,
		encoding: "utf8",
		maxBuffer: 2 ** 28,
	});
	if (status !== 0)
		throw new Error(
			`${command} ${args.join(" ")} ended with ${status ?? error}\n${stdout}${stderr}`,
		);
}

/** Reads all files of a folder, by their paths in it. */
export function filesIn(folder) {
	const names = readdirSync(folder, { recursive: true }).filter((name) =>
		statSync(join(folder, name)).isFile(),
	);
	return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/** Prints how many files two builds have, by their paths. Throws unless all are the same. */
export function compare(what, one, other) {
	const names = [...new Set([...one.keys(), ...other.keys()])];
	const different = names.filter(
		(name) => !one.get(name)?.equals(other.get(name) ?? Buffer.alloc(0)),
	);
	if (names.length === 0 || different.length > 0)
		throw new Error(
			`${what}: ${different.length} of ${names.length} files differ: ${different.join(", ")}`,
		);
	console.log(`  ${what}: ${names.length} files, all the same`);
}
