// watch.mjs [cold]: runs `cargo leptos watch` in a clean clone. It must serve the product with style sheet
// and working islands, and apply changes of a Leptos view, a React component, the page's module and a style
// to an open page. Then `cargo leptos end-to-end` must build and test the product, and `make build` must
// make the same site. Unless `cold` is given, third-party crates may have been built for an earlier clone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
	cleanClone,
	compare,
	filesIn,
	runIn,
	SHARED_BUILDS,
} from "./clean-clone.mjs";

const START_MINUTES = 20;
/** Generous, for a machine that runs other builds; otherwise it takes seconds. */
const EDIT_SECONDS = 120;
/** What `cargo leptos end-to-end` tests here: from a link, through React, to a Leptos island. */
const SPEC = "tests/sandbox.spec.ts";

/** The links of two pages of the sandbox: one with a Leptos island, one with React's. */
const LINKS = {
	success: "/?token=demo-novo.success&of-success",
	consent: "/?token=demo-novo.consent",
};

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

const CLONE = cleanClone("target/watch/clone");
const site = await freePort();
const reload = await freePort();
const url = `http://127.0.0.1:${site}`;
const environment = {
	...(process.argv[2] === "cold" ? process.env : SHARED_BUILDS),
	LISTEN_ADDR: `127.0.0.1:${site}`,
	LEPTOS_SITE_ADDR: `127.0.0.1:${site}`,
	LEPTOS_RELOAD_PORT: String(reload),
};
const watch = spawn("cargo", ["leptos", "watch"], {
	cwd: CLONE,
	// A process group of its own, so that its child processes can be ended with it.
	detached: true,
	stdio: ["ignore", "pipe", "pipe"],
	env: environment,
});
let said = "";
for (const output of [watch.stdout, watch.stderr])
	output.on("data", (data) => (said += data));
process.once("exit", () => end("SIGKILL"));

let browser;
try {
	await within(
		START_MINUTES * 60,
		"the first page",
		async () => (await fetch(`${url}/sandbox`)).ok,
	);
	browser = await launchBrowser();
	const pages = {};
	for (const name of Object.keys(LINKS))
		pages[name] = await open(browser, name);
	for (const { what, file, page = "success", edit, shows } of EDITS) {
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
} catch (error) {
	console.error(`✗ ${error.message}\n${said}`);
	process.exitCode = 1;
} finally {
	await browser?.close();
	if (watch.exitCode === null) {
		end("SIGINT");
		await once(watch, "exit");
	}
}
if (process.exitCode === undefined) await testBuilds();

/**
 * Runs `cargo leptos end-to-end` with one browser test, and checks that scripts/build/quick.mjs makes the
 * same files as it has built.
 */
async function testBuilds() {
	const [, command] = readFileSync(join(CLONE, "Cargo.toml"), "utf8").match(
		/^end2end-cmd = "(.*)"$/m,
	);
	const started = performance.now();
	runIn(CLONE, "cargo", ["leptos", "end-to-end"], {
		...environment,
		LEPTOS_END2END_CMD: `${command} ${SPEC}`,
	});
	console.log(`  cargo leptos end-to-end: ${seconds(started)} s`);
	const built = filesIn(join(CLONE, "target/site"));
	const quickly = ["scripts/build/quick.mjs", "debug", "target/quick"];
	runIn(CLONE, "node", quickly, environment);
	const quick = filesIn(join(CLONE, "target/quick/site"));
	compare("cargo leptos and make build", built, quick);
}

/** Installs Playwright and Chromium, which the product does not need, and starts a browser. */
async function launchBrowser() {
	runIn(
		CLONE,
		"scripts/setup.sh",
		["node", "end2end", "chromium"],
		environment,
	);
	const { findChromium } = await import(join(CLONE, "end2end/chromium.mjs"));
	const { chromium } = await import(
		join(CLONE, "end2end/node_modules/@playwright/test/index.mjs")
	);
	return chromium.launch({
		executablePath: await findChromium(),
		args: ["--no-sandbox"],
	});
}

/** Opens a page. Throws if a requested file is missing or its islands do not work. */
async function open(browser, name) {
	const page = await browser.newPage();
	const files = [];
	page.on("response", (response) => files.push(response));
	await page.goto(url + LINKS[name]);
	await within(30, `the islands of ${name}`, () => isAlive(page));
	for (const file of files) {
		if (!file.ok()) throw new Error(`${file.url()}: ${file.status()}`);
		// A changed file keeps its name in watch mode, except the font, whose name has its hash.
		const isFont = file.url().endsWith(".woff2");
		if (!isFont && /immutable/.test(file.headers()["cache-control"]))
			throw new Error(`${file.url()} is cached permanently`);
	}
	for (const ending of [".css", ".js", ".wasm"]) {
		if (!files.some((file) => file.url().endsWith(ending)))
			throw new Error(`${name} has loaded no ${ending}`);
	}
	return page;
}

function isAlive(page) {
	return page.evaluate(() =>
		document.body.matches("[data-islands=alive]:not([data-page=entry])"),
	);
}

/** Waits until `test` returns true, and prints how long it took. Throws after the time limit. */
async function within(limit, what, test) {
	const started = performance.now();
	while (performance.now() - started < limit * 1000) {
		if (watch.exitCode !== null)
			throw new Error(`cargo leptos watch ended with ${watch.exitCode}`);
		// It throws while the server starts or a page loads.
		if (await test().catch(() => false))
			return console.log(`  ${what}: ${seconds(started)} s`);
		await sleep(100);
	}
	throw new Error(`${what}: not within ${limit} s`);
}

/** The seconds since a time, as text. */
function seconds(started) {
	return ((performance.now() - started) / 1000).toFixed(1);
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
