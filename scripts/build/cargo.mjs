// Runs cargo for the server and the wasm module.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * Unsets the variables of cargo-leptos. Leptos reads some at compile time, so it would be compiled again
 * after each switch between cargo-leptos and other builds.
 */
const WITHOUT_LEPTOS = Object.fromEntries(
	Object.keys(process.env)
		.filter((name) => name.startsWith("LEPTOS_"))
		.map((name) => [name, undefined]),
);

/**
 * Builds the server. The explicit target makes Cargo share proc macros with the builds of the wasm
 * module and the tests.
 * @returns the program's path
 */
export async function buildServer(release, args = []) {
	const command = [
		"build",
		"--locked",
		"--bin",
		"vincula",
		"--target",
		"host-tuple",
		...args,
	];
	if (release) command.push("--release");
	await cargo(command, release);
	const host = execFileSync("rustc", ["--print", "host-tuple"], {
		cwd: ROOT,
		encoding: "utf8",
	}).trim();
	return join(ROOT, "target", host, release ? "release" : "debug", "vincula");
}

/** Runs cargo with the same flags and variables, whether or not cargo-leptos runs this script. */
export async function cargo(args, release) {
	await run("cargo", args, { ...WITHOUT_LEPTOS, ...rustFlags(release) });
}

/** Returns the parsed output of `cargo metadata`. */
export function metadata(args = ["--no-deps"]) {
	const command = ["metadata", "--format-version", "1", ...args];
	return JSON.parse(
		execFileSync("cargo", command, {
			cwd: ROOT,
			encoding: "utf8",
			maxBuffer: 2 ** 28,
		}),
	);
}

/**
 * The flags of rustc. They replace those of .cargo/config.toml and of cargo-leptos. A debug build erases
 * the types of views, which compiles faster; a release does not, which makes the module smaller. In a
 * release, the source paths in panic messages do not reveal the folders of the machine that built it.
 */
function rustFlags(release) {
	const debug = ["--cfg", "erase_components"];
	// If both prefixes match a path, rustc applies the last one.
	const withoutPaths = [
		`--remap-path-prefix=${homedir()}=/home`,
		`--remap-path-prefix=${ROOT}=/vincula`,
	];
	const flags = release ? withoutPaths : debug;
	// Separated by 0x1f, because paths may contain spaces.
	return { CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f") };
}

/** Runs a command in the project's folder and shows its output. Throws if it fails. */
export async function run(command, args, env = {}) {
	const child = spawn(command, args, {
		cwd: ROOT,
		env: { ...process.env, ...env },
		stdio: ["ignore", "inherit", "inherit"],
	});
	const [code, signal] = await once(child, "close");
	if (code !== 0)
		throw new Error(`${command} ${args[0]} ended with ${code ?? signal}`);
}
