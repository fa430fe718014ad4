// notices.mjs FILE: writes the licences of all third-party code in the program and the site to FILE.
// A part without a licence text is listed with the name of its licence. The script fails if a part has
// neither, or a licence that deny.toml does not allow.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const LICENCE_FILE = /^(licen[cs]e|copying|notice|unlicense)/i;
const ROOT_CRATES = [
	{ name: "vincula", target: "x86_64-unknown-linux-gnu" },
	{ name: "vincula-front", target: "wasm32-unknown-unknown" },
];
const ISLANDS = "islands-react";
const LINE = "-".repeat(80);

const parts = [...crates(), ...npmPackages()].sort(
	(a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version),
);
checkLicences(parts);
const texts = partsByText(parts);
writeFileSync(process.argv[2], document(parts, texts));
console.log(`✓ licences of ${parts.length} parts (${texts.size} texts)`);

/** The crates in the program and the wasm module, without dev and build dependencies. */
function crates() {
	const found = new Map();
	for (const { name, target } of ROOT_CRATES) {
		for (const crate of builtCrates(name, target)) found.set(crate.id, crate);
	}
	// A crate without a registry is part of the product.
	const thirdParty = [...found.values()].filter(
		({ source }) => source !== null,
	);
	return thirdParty.map(({ name, version, license, manifest_path }) => ({
		name,
		version,
		license,
		folder: dirname(manifest_path),
	}));
}

/** A crate of the workspace and all its normal dependencies, as `cargo metadata` describes them. */
function builtCrates(root, target) {
	const { packages, resolve } = cargoMetadata(target);
	const crateOf = new Map(packages.map((crate) => [crate.id, crate]));
	const nodeOf = new Map(resolve.nodes.map((node) => [node.id, node]));
	const { id } = packages.find(
		({ name, source }) => name === root && source === null,
	);
	const seen = new Set([id]);
	// The loop also visits what it adds.
	for (const one of seen) {
		for (const { pkg, dep_kinds } of nodeOf.get(one).deps) {
			const isNormal = dep_kinds.some(({ kind }) => kind === null);
			if (isNormal) seen.add(pkg);
		}
	}
	return [...seen].map((one) => crateOf.get(one));
}

function cargoMetadata(target) {
	const args = ["metadata", "--locked", "--format-version", "1"];
	args.push("--filter-platform", target);
	const options = { maxBuffer: 2 ** 28, encoding: "utf8" };
	return JSON.parse(execFileSync("cargo", args, options));
}

/** The packages that esbuild bundles: `dependencies`, and their dependencies. */
function npmPackages() {
	const lock = readFileSync(join(ISLANDS, "package-lock.json"), "utf8");
	return Object.entries(JSON.parse(lock).packages)
		.filter(([path, { dev }]) => path !== "" && dev !== true)
		.map(([path, { version, license }]) => ({
			name: path.replace(/^.*node_modules\//, ""),
			version,
			license,
			folder: join(ISLANDS, path),
		}));
}

/** Throws if deny.toml does not allow the licence of a part. */
function checkLicences(parts) {
	const allowed = allowedLicences();
	const refused = parts.filter((part) =>
		part.license
			? !isAllowed(part.license, allowed)
			: licenceTexts(part).length === 0,
	);
	if (refused.length === 0) return;
	const names = refused.map(({ name, license }) => `${name} (${license})`);
	throw new Error(`deny.toml does not allow: ${names.join(", ")}`);
}

function allowedLicences() {
	const [, list] = /^allow = \[(.+?)^\]/ms.exec(
		readFileSync("deny.toml", "utf8"),
	);
	return [...list.matchAll(/"(.+?)"/g)].map(([, name]) => name);
}

/**
 * Returns whether each AND term of an SPDX expression has an allowed OR choice. It ignores parentheses,
 * which can only make the result stricter.
 */
function isAllowed(expression, allowed) {
	const terms = expression.replace(/[()]/g, "").split(" AND ");
	return terms.every((term) => {
		const choices = term.split(/ OR |\//).map((choice) => choice.trim());
		return choices.some((choice) => allowed.includes(choice));
	});
}

/** The licence texts in a part's folder. */
function licenceTexts({ folder }) {
	if (!existsSync(folder)) return [];
	return readdirSync(folder, { withFileTypes: true })
		.filter((file) => file.isFile() && LICENCE_FILE.test(file.name))
		.map((file) => readFileSync(join(folder, file.name), "utf8").trim());
}

/** Each licence text once, with the parts that have it. */
function partsByText(parts) {
	const found = new Map();
	for (const part of parts) {
		const name = `${part.name} ${part.version}`;
		for (const text of licenceTexts(part)) {
			found.set(text, [...(found.get(text) ?? []), name]);
		}
	}
	return found;
}

function document(parts, texts) {
	const list = parts.map(
		({ name, version, license }) =>
			`${name} ${version}: ${license ?? "see its text below"}`,
	);
	const sections = [...texts].map(
		([text, names]) => `${LINE}\n${names.join(", ")}\n${LINE}\n\n${text}\n`,
	);
	return [
		"Vincula contains the following works of others. The licence of the font Inter is in site/fonts.",
		"",
		...list,
		"",
		...sections,
	].join("\n");
}
