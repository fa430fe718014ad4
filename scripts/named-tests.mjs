// Checks that every test named in docs/conformance.md and docs/security.md exists. Prints file:line of
// each that does not.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const CONFORMANCE = "docs/conformance.md";
const SECURITY = "docs/security.md";

/** A call of a test function with its title: `test('title', …)`, `describe.each(…)('title', …)`. */
const TITLED =
	/(?:\b(?:test|it|describe)|\))\(\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)\s*,/g;
/** A Rust test function with its attributes. */
const RUST_TEST =
	/#\[(?:tokio::)?test\b[^\n]*\n(?:\s*(?:#\[[^\]]*\]|\/\/[^\n]*)\n)*\s*(?:async )?fn (\w+)/g;
const IGNORED = /#\[ignore/;

/** The names of a file's tests: function names in Rust, titles as written in TypeScript. */
function testsOf(path) {
	const code = readFileSync(join(ROOT, path), "utf8");
	if (!path.endsWith(".rs"))
		return [...code.matchAll(TITLED)].map(([, literal]) =>
			literal.slice(1, -1).replaceAll("\\'", "'"),
		);
	return [...code.matchAll(RUST_TEST)]
		.filter(([all]) => !IGNORED.test(all))
		.map(([, name]) => name);
}

const isFile = (path) => existsSync(join(ROOT, path));

/** Returns whether a reference of conformance.md names a test: [`file` name or part of a title]. */
function isProof(path, title) {
	if (!isFile(path)) return false;
	const isIt = path.endsWith(".rs")
		? (name) => name === title
		: (name) => name.includes(title);
	return testsOf(path).some(isIt);
}

const CRATES = readdirSync(join(ROOT, "crates"));

/** The file of a module, given by its path from a crate's name or from src/. */
function moduleFile(parts) {
	const [first, ...rest] = parts;
	const base = CRATES.includes(first)
		? ["crates", first, "src", ...rest].join("/")
		: ["src", ...parts].join("/");
	return [`${base}.rs`, `${base}/mod.rs`].find(isFile);
}

/**
 * Returns whether a reference of security.md has tests: a file, a module, or a test of a module, whose
 * name `…` may shorten.
 */
function isControlTested(name) {
	if (name.includes("/"))
		return (
			isFile(name) && (name.startsWith("scripts/") || testsOf(name).length > 0)
		);
	const parts = name.split("::");
	const whole = moduleFile(parts);
	if (whole !== undefined) return testsOf(whole).length > 0;
	const file = moduleFile(parts.slice(0, -1));
	if (file === undefined) return false;
	const test = parts.at(-1);
	const isIt = test.endsWith("…")
		? (one) => one.startsWith(test.slice(0, -1))
		: (one) => one === test;
	return testsOf(file).some(isIt);
}

/** All references in a line, each as [name, whether its test exists]. */
const REFERENCES = {
	[CONFORMANCE]: (line) =>
		[...line.matchAll(/\[`([^`]+)` ([^\]]+)\]/g)].map(([, path, title]) => [
			`${path} ${title}`,
			isProof(path, title),
		]),
	[SECURITY]: (line) => {
		const cells = line.startsWith("| ") ? line.split(" | ") : [];
		const tests =
			cells.length === 3 ? [...cells[2].matchAll(/`([^`]+)`/g)] : [];
		return tests.map(([, name]) => [name, isControlTested(name)]);
	},
};

let named = 0;
let missing = 0;
for (const [document, references] of Object.entries(REFERENCES)) {
	const before = named;
	for (const [index, line] of readFileSync(join(ROOT, document), "utf8")
		.split("\n")
		.entries()) {
		for (const [name, exists] of references(line)) {
			named += 1;
			if (exists) continue;
			missing += 1;
			console.log(`${document}:${index + 1}: no such test: ${name}`);
		}
	}
	if (named === before) {
		missing += 1;
		console.log(`${document}: names no test`);
	}
}
console.log(`${named} tests are named, ${missing} of them are missing`);
process.exitCode = missing > 0 ? 1 : 0;
