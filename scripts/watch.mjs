// make watch: runs `cargo leptos watch` in a clean clone. It must serve the product with style sheet and
// working islands, and apply changes of a Leptos view, a React component, the page's module and a style
// to an open page. Then `cargo leptos build` and `make build` must make the same site. Third-party
// crates may have been built before.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
	cpSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findChromium } from "../end2end/chromium.mjs";
import { chromium } from "../end2end/node_modules/@playwright/test/index.mjs";

const START_MINUTES = 20;
/** Generous, for a machine that runs other builds; otherwise it takes seconds. */
const EDIT_SECONDS = 120;
const CLONE = resolve("target/watch/clone");

/** Each edit of a file, and how an open page shows it. */
const EDITS = [
	{
		what: "a Leptos view",
		file: "crates/islands/src/success.rs",
		edit: replacing(
			'class="success__unconfirmed"',
			'class="success__unconfirmed" data-edited="true"',
		),
		shows: () =>
			document.querySelector(".success__unconfirmed[data-edited]") !== null,
	},
	{
		what: "a React component",
		file: "islands-react/src/ui/Button.tsx",
		page: "consent",
		edit: replacing("<button", '<button data-edited="true"'),
		shows: () => document.querySelector("button[data-edited]") !== null,
	},
	{
		what: "the page's module",
		file: "islands-react/src/page/index.ts",
		edit: (text) =>
			`${text}\ndocument.documentElement.dataset.edited = 'true';\n`,
		shows: () => document.documentElement.dataset.edited === "true",
	},
	{
		what: "a style",
		file: "style/base.css",
		edit: (text) => `${text}\nhtml {\n  --edited: true;\n}\n`,
		shows: () =>
			getComputedStyle(document.documentElement).getPropertyValue(
				"--edited",
			) === "true",
	},
];

rmSync(CLONE, { recursive: true, force: true });
const files = execFileSync(
	"git",
	["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
	{ encoding: "utf8" },
);
const deleted = new Set(
	execFileSync("git", ["ls-files", "-z", "--deleted"], {
		encoding: "utf8",
	}).split("\0"),
);
for (const file of files
	.split("\0")
	.filter((file) => file && !deleted.has(file))) {
	mkdirSync(dirname(join(CLONE, file)), { recursive: true });
	cpSync(file, join(CLONE, file));
}

const site = await freePort();
const reload = await freePort();
const url = `http://127.0.0.1:${site}`;
const environment = {
	...process.env,
	CARGO_BUILD_BUILD_DIR: process.env.CARGO_BUILD_BUILD_DIR ?? resolve("target"),
};
const watch = spawn("cargo", ["leptos", "watch"], {
	cwd: CLONE,
	// A process group of its own, so that its child processes can be ended with it.
	detached: true,
	stdio: ["ignore", "pipe", "pipe"],
	env: {
		...environment,
		LISTEN_ADDR: `127.0.0.1:${site}`,
		LEPTOS_SITE_ADDR: `127.0.0.1:${site}`,
		LEPTOS_RELOAD_PORT: String(reload),
	},
});
let said = "";
for (const output of [watch.stdout, watch.stderr])
	output.on("data", (data) => (said += data));
process.once("exit", () => end("SIGKILL"));

try {
	await within(
		START_MINUTES * 60,
		"the first page",
		async () => (await fetch(`${url}/sandbox`)).ok,
	);
	const browser = await chromium.launch({
		executablePath: await findChromium(),
		args: ["--no-sandbox"],
	});
	const pages = {};
	for (const name of ["success-new", "consent"])
		pages[name] = await open(browser, name);
	for (const { what, file, page = "success-new", edit, shows } of EDITS) {
		const path = join(CLONE, file);
		const before = readFileSync(path, "utf8");
		const after = edit(before);
		if (after === before)
			throw new Error(`${file} has changed: edit something else for ${what}`);
		writeFileSync(path, after);
		await within(EDIT_SECONDS, what, () => pages[page].evaluate(shows));
		await within(EDIT_SECONDS, `islands after a change of ${what}`, () =>
			isAlive(pages[page]),
		);
	}
	await browser.close();
} catch (error) {
	console.error(`✗ ${error.message}\n${said}`);
	process.exitCode = 1;
} finally {
	if (watch.exitCode === null) {
		end("SIGINT");
		await once(watch, "exit");
	}
}
if (process.exitCode === undefined) compareBuilds();

/** Checks that `cargo leptos build` and scripts/build/quick.mjs make the same files. */
function compareBuilds() {
	const build = (command, ...args) =>
		execFileSync(command, args, {
			cwd: CLONE,
			env: environment,
			stdio: ["ignore", "ignore", "inherit"],
		});
	build("cargo", "leptos", "build");
	build("node", "scripts/build/quick.mjs", "debug", "target/quick");
	const [one, other] = [
		filesIn(join(CLONE, "target/site")),
		filesIn(join(CLONE, "target/quick/site")),
	];
	const names = new Set([...one.keys(), ...other.keys()]);
	const different = [...names].filter(
		(name) => !one.get(name)?.equals(other.get(name) ?? Buffer.alloc(0)),
	);
	console.log(
		`  ${names.size} files of cargo leptos build and of make build: ${different.length} differ`,
	);
	if (names.size > 0 && different.length === 0) return;
	console.error(`✗ not the same: ${different.join(", ")}`);
	process.exitCode = 1;
}

function filesIn(folder) {
	const names = readdirSync(folder, { recursive: true }).filter((name) =>
		statSync(join(folder, name)).isFile(),
	);
	return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/** Opens a state of the gallery. Throws if a requested file is missing or its islands do not work. */
async function open(browser, state) {
	const page = await browser.newPage();
	const files = [];
	page.on("response", (response) => files.push(response));
	await page.goto(`${url}/sandbox/screens/${state}`);
	await within(30, `the islands of ${state}`, () => isAlive(page));
	for (const file of files) {
		if (!file.ok()) throw new Error(`${file.url()}: ${file.status()}`);
		// A changed file keeps its name in watch mode, except the font, whose name has its hash.
		const isFont = file.url().endsWith(".woff2");
		if (!isFont && /immutable/.test(file.headers()["cache-control"]))
			throw new Error(`${file.url()} is cached permanently`);
	}
	for (const ending of [".css", ".js", ".wasm"]) {
		if (!files.some((file) => file.url().endsWith(ending)))
			throw new Error(`${state} has loaded no ${ending}`);
	}
	return page;
}

function isAlive(page) {
	return page.evaluate(() => document.body.dataset.islands === "alive");
}

/** Waits until `test` returns true, and prints how long it took. Throws after the time limit. */
async function within(seconds, what, test) {
	const started = performance.now();
	const passed = () => (performance.now() - started) / 1000;
	while (passed() < seconds) {
		if (watch.exitCode !== null)
			throw new Error(`cargo leptos watch ended with ${watch.exitCode}`);
		// It throws while the server starts or a page loads.
		if (await test().catch(() => false))
			return console.log(`  ${what}: ${passed().toFixed(1)} s`);
		await sleep(100);
	}
	throw new Error(`${what}: not within ${seconds} s`);
}

function replacing(one, other) {
	return (text) => text.replace(one, other);
}

function end(signal) {
	if (watch.exitCode === null) process.kill(-watch.pid, signal);
}

async function freePort() {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address();
	server.close();
	return port;
}
