// Builds the wasm module and its JavaScript glue, with cargo, wasm-bindgen and wasm-opt.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { BASELINE } from "../../islands-react/baseline.mjs";
import { cargo, metadata, ROOT, run } from "./cargo.mjs";

export const esbuild = createRequire(join(ROOT, "islands-react/package.json"))(
	"esbuild",
);

const TARGET = "wasm32-unknown-unknown";
const WASM_OPT = join(ROOT, "islands-react/node_modules/.bin/wasm-opt");

/** The part of Cargo.toml that cargo-leptos reads. */
export const SETTINGS = metadata().metadata.leptos[0];

const CRATE = SETTINGS["lib-package"];

/**
 * Builds the wasm module with cargo.
 * @returns its path
 */
export async function buildModule(release) {
	const profile = release ? SETTINGS["lib-profile-release"] : "dev";
	const args = [
		"build",
		"--locked",
		"--package",
		CRATE,
		"--profile",
		profile,
		"--target",
		TARGET,
	];
	await cargo(args, release);
	return modulePath("target", release ? profile : "debug");
}

/** The path of the module that cargo-leptos has built for debugging. */
export function moduleOfCargoLeptos() {
	return modulePath("target/front", "debug");
}

function modulePath(target, folder) {
	const file = `${CRATE.replaceAll("-", "_")}.wasm`;
	return join(ROOT, target, TARGET, folder, file);
}

/**
 * Runs wasm-bindgen on a built module. In a release it also optimises the module and shortens the names
 * of imports and exports, whose hashes would cost a phone 2 kB compressed.
 * @param page the URL of the page's module, which the glue imports
 * @returns the module (bytes) and the glue (text), as they are shipped
 */
export async function bindAndPack(built, { release, page }) {
	const { module, glue } = await bound(built);
	// wasm-bindgen imports the page's module several times, once for each function without glue code.
	const text = await readFile(glue, "utf8");
	let source = text.replaceAll(/^.*\bimport[2-9]\b.*\n/gm, "");
	if (release) {
		const flags = SETTINGS["wasm-opt-features"];
		const features = flags.filter((flag) => flag.startsWith("--enable-"));
		await run(WASM_OPT, [module, ...flags, "-o", module]);
		const minify = [
			module,
			...features,
			"--minify-imports-and-exports-and-modules",
			"-o",
			module,
		];
		source = withShortNames(
			source,
			execFileSync(WASM_OPT, minify, { encoding: "utf8" }),
		);
	}
	const { outputFiles } = await esbuild.build({
		stdin: { contents: source, resolveDir: dirname(glue), sourcefile: glue },
		format: "esm",
		bundle: true,
		minify: true,
		target: BASELINE,
		// Not used, because the loader passes the module's URL.
		define: { "import.meta.url": "location.href" },
		plugins: [pageAt(page)],
		write: false,
	});
	return { wasm: await readFile(module), glue: outputFiles[0].text };
}

/** Resolves the page's module, which Rust imports by a fixed name, to its URL. */
function pageAt(address) {
	const setup = ({ onResolve }) =>
		onResolve({ filter: /^\/islands\/page\.js$/ }, () => ({
			path: address,
			external: true,
		}));
	return { name: "page", setup };
}

/** Runs wasm-bindgen. Returns the paths of module and glue. */
async function bound(built) {
	const folder = join(dirname(built), "bound");
	const name = basename(built, ".wasm");
	await run(wasmBindgen(), [
		"--target=web",
		"--no-typescript",
		`--out-dir=${folder}`,
		`--out-name=${name}`,
		built,
	]);
	return {
		module: join(folder, `${name}_bg.wasm`),
		glue: join(folder, `${name}.js`),
	};
}

/**
 * Renames imports and exports in the glue as wasm-opt has renamed them in the module.
 * @param mapping wasm-opt's output: `{ imports: [[module, name, short]], exports: [[name, short]] }`
 */
function withShortNames(glue, mapping) {
	const { imports, exports } = JSON.parse(mapping);
	const isGlue = (module) => module.endsWith("_bg.js");
	const shortImports = new Map(
		imports
			.filter(([module]) => isGlue(module))
			.map(([, name, short]) => [name, short]),
	);
	const shortExports = new Map(exports);
	const found = new Set();
	// Functions of the page's module that need no glue code.
	const direct = imports
		.filter(([module]) => !isGlue(module))
		.map(([, name, short]) => `${short}: import1.${name}`);
	const renamed = glue
		.replace(/^( +)([\w$]+)(?=: function)/gm, (all, indent, name) => {
			found.add(name);
			return shortImports.has(name)
				? `${indent}${shortImports.get(name)}`
				: all;
		})
		.replace(/\bwasm\.([\w$]+)/g, (all, name) =>
			shortExports.has(name) ? `wasm.${shortExports.get(name)}` : all,
		)
		// wasm-opt puts all imports into one module with this name.
		.replace(/"\.\/[\w$]+_bg\.js": import0/, `"a": { ...import0, ${direct} }`);
	const lost = [...shortImports.keys()].filter((name) => !found.has(name));
	if (lost.length > 0)
		throw new Error(`the glue does not have the imports ${lost}`);
	return renamed;
}

/** The command of wasm-bindgen: on the PATH, or else downloaded by cargo-leptos. */
function wasmBindgen() {
	const onPath = process.env.PATH.split(delimiter).some((folder) =>
		existsSync(join(folder, "wasm-bindgen")),
	);
	if (onPath) return "wasm-bindgen";
	const { version } = metadata(["--locked"]).packages.find(
		({ name }) => name === "wasm-bindgen",
	);
	const cache = join(
		process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
		`cargo-leptos/wasm-bindgen-${version}`,
	);
	const file =
		existsSync(cache) &&
		readdirSync(cache, { recursive: true }).find((path) =>
			/(^|\/)wasm-bindgen$/.test(path),
		);
	if (!file)
		throw new Error(
			`wasm-bindgen ${version} is not on the PATH: make setup installs it`,
		);
	return join(cache, file);
}
