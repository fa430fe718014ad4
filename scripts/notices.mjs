// notices.mjs FILE: writes the licences of everything that is compiled into the program and the site, as they require.
// A part without a licence text gets the name of its licence. A part without either fails the build, and so does a licence that
// deny.toml does not allow.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const LICENCE = /^(licen[cs]e|copying|notice|unlicense)/i;
const TARGETS = [
	[["vincula"], "x86_64-unknown-linux-gnu"],
	[["vincula-front"], "wasm32-unknown-unknown"],
];
const ISLANDS = "islands-react";

/** Crates in the binary or the wasm modules: normal dependencies, without those of tests and build scripts. */
function crates() {
	const found = new Map();
	for (const [roots, target] of TARGETS) {
		const parameters = [
			"metadata",
			"--locked",
			"--format-version",
			"1",
			"--filter-platform",
			target,
		];
		const metadata = JSON.parse(
			execFileSync("cargo", parameters, {
				maxBuffer: 1 << 28,
				encoding: "utf8",
			}),
		);
		const packages = new Map(
			metadata.packages.map((crate) => [crate.id, crate]),
		);
		const nodes = new Map(
			metadata.resolve.nodes.map((node) => [node.id, node]),
		);
		const queue = metadata.workspace_members.filter((id) =>
			roots.includes(packages.get(id).name),
		);
		const seen = new Set(queue);
		while (queue.length > 0) {
			for (const dependency of nodes.get(queue.pop()).deps) {
				const isBuilt = dependency.dep_kinds.some(({ kind }) => kind === null);
				if (!isBuilt || seen.has(dependency.pkg)) continue;
				seen.add(dependency.pkg);
				queue.push(dependency.pkg);
				const { name, version, license, manifest_path, source } = packages.get(
					dependency.pkg,
				);
				// A crate without a registry is part of the product.
				if (source === null) continue;
				found.set(`${name} ${version}`, {
					name,
					version,
					license,
					folder: dirname(manifest_path),
				});
			}
		}
	}
	return [...found.values()];
}

/** Packages that esbuild bundles: `dependencies`, and their dependencies. */
function npmPackages() {
	const lock = JSON.parse(
		readFileSync(join(ISLANDS, "package-lock.json"), "utf8"),
	);
	return Object.entries(lock.packages)
		.filter(([path, { dev }]) => path !== "" && dev !== true)
		.map(([path, { version, license }]) => ({
			name: path.replace(/^.*node_modules\//, ""),
			version,
			license,
			folder: join(ISLANDS, path),
		}));
}

/** The licence texts in a part's folder. */
function texts({ folder }) {
	if (!existsSync(folder)) return [];
	const files = readdirSync(folder, { withFileTypes: true }).filter(
		(file) => file.isFile() && LICENCE.test(file.name),
	);
	return files.map((file) =>
		readFileSync(join(folder, file.name), "utf8").trim(),
	);
}

const parts = [...crates(), ...npmPackages()].sort(
	(a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version),
);
const allowed = [
	...readFileSync("deny.toml", "utf8")
		.match(/^allow = \[(.+?)^\]/ms)[1]
		.matchAll(/"(.+?)"/g),
].map(([, name]) => name);
/** Whether each AND of an SPDX expression has an allowed choice. Without its parentheses it is read strictly, never laxly. */
const mayBeUsed = ({ license }) =>
	license.split(" AND ").every((part) =>
		part
			.replace(/[()]/g, "")
			.split(/ OR |\//)
			.some((name) => allowed.includes(name.trim())),
	);
const refused = parts.filter((part) =>
	part.license ? !mayBeUsed(part) : texts(part).length === 0,
);
if (refused.length > 0)
	throw new Error(
		`deny.toml does not allow: ${refused.map(({ name, license }) => `${name} (${license})`).join(", ")}`,
	);

// Each text once, with all parts that use it.
const users = new Map();
for (const part of parts) {
	for (const text of texts(part))
		users.set(text, [
			...(users.get(text) ?? []),
			`${part.name} ${part.version}`,
		]);
}
const list = parts.map(
	({ name, version, license }) =>
		`${name} ${version}: ${license ?? "see its text below"}`,
);
const line = "-".repeat(80);
const sections = [...users].map(
	([text, names]) => `${line}\n${names.join(", ")}\n${line}\n\n${text}\n`,
);
writeFileSync(
	process.argv[2],
	[
		"Vincula contains the following works of others. The font Inter has its licence beside it, in site/fonts.",
		"",
		...list,
		"",
		...sections,
	].join("\n"),
);
console.log(`✓ licences of ${parts.length} parts (${users.size} texts)`);
