// Runs cargo for server and browser.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * Removes what cargo-leptos sets: Leptos reads some of it when it is compiled, and would be compiled anew after each change of
 * the way to build.
 */
const WITHOUT_LEPTOS = Object.fromEntries(
	Object.keys(process.env)
		.filter((name) => name.startsWith("LEPTOS_"))
		.map((name) => [name, undefined]),
);

/**
 * Builds the server. With an explicit target Cargo builds proc macros as for the wasm modules and the tests, and so only
 * once.
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
	await run("cargo", command, { ...WITHOUT_LEPTOS, ...rustFlags(release) });
	const host = execFileSync("rustc", ["--print", "host-tuple"], {
		cwd: ROOT,
		encoding: "utf8",
	}).trim();
	return join(ROOT, "target", host, release ? "release" : "debug", "vincula");
}

/** What `cargo metadata` prints. */
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
 * Flags instead of all others: of .cargo/config.toml, and of cargo-leptos. In a debug build views have one type, in a
 * release each has its own, which makes less code. rustc embeds paths of sources for panic messages; a release does not
 * show who built it and where. Flags are separated by 0x1f, since the names of folders may contain spaces. If both folders
 * match, the last one counts.
 */
export function rustFlags(release) {
	const hidden = [
		[homedir(), "/home"],
		[ROOT, "/vincula"],
	].map(([folder, name]) => `--remap-path-prefix=${folder}=${name}`);
	return {
		CARGO_ENCODED_RUSTFLAGS: (release
			? hidden
			: ["--cfg", "erase_components"]
		).join("\x1f"),
	};
}

/** Runs a command in the project's folder, with its output shown. */
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
