// watch.mjs: runs `cargo leptos watch` in a clean clone, with nothing set but free ports. It must serve the
// sandbox with its style sheet and working islands, and show edits of Rust, React and CSS in an open page.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const START_MINUTES = 20;
/** Generous, for a machine that runs other builds; otherwise it takes seconds. */
const EDIT_SECONDS = 120;
/** Leads to the consent, a React island in a Leptos island. */
const LINK = "/?token=demo-novo";

/** Each edit adds an attribute or a property that an open page shows. */
const EDITS = [
	{
		what: "Rust",
		file: "src/app/document.rs",
		edit: (text) => text.replace('class="page"', 'class="page" data-edited=""'),
		shows: () => document.body.hasAttribute("data-edited"),
	},
	{
		what: "React",
		file: "islands-react/src/ui/Button.tsx",
		edit: (text) => text.replace("<button", '<button data-edited=""'),
		shows: () => document.querySelector("button[data-edited]") !== null,
	},
	{
		what: "CSS",
		file: "style/base.css",
		edit: (text) => `${text}\nhtml {\n  --edited: true;\n}\n`,
		shows: () =>
			getComputedStyle(document.documentElement).getPropertyValue(
				"--edited",
			) === "true",
	},
];

const clone = resolve("target/watch");
rmSync(clone, { recursive: true, force: true });
execFileSync("git", ["clone", "--quiet", ".", clone]);
const [site, reload] = await freePorts();
const url = `http://127.0.0.1:${site}`;
const watch = spawn("cargo", ["leptos", "watch"], {
	cwd: clone,
	// A process group of its own, so that its child processes can be ended with it.
	detached: true,
	stdio: ["ignore", "pipe", "pipe"],
	env: {
		...process.env,
		METRICS_ADDR: "none",
		LEPTOS_SITE_ADDR: `127.0.0.1:${site}`,
		LEPTOS_RELOAD_PORT: String(reload),
		// Third-party crates are built once for all clones, but not in this checkout's folder: Cargo would
		// take its crates for those of the clone.
		CARGO_BUILD_BUILD_DIR: resolve(
			process.env.CARGO_BUILD_BUILD_DIR ?? "target",
			"watch-build",
		),
	},
});
let output = "";
for (const stream of [watch.stdout, watch.stderr])
	stream.on("data", (data) => (output += data));
process.once("exit", () => end("SIGKILL"));
for (const signal of ["SIGINT", "SIGTERM"])
	process.once(signal, () => process.exit(1));

let browser;
try {
	await within(
		START_MINUTES * 60,
		"the first page",
		async () => (await fetch(`${url}/sandbox`)).ok,
	);
	browser = await launchBrowser();
	const page = await browser.newPage();
	await page.goto(url + LINK);
	await within(30, "working islands", () => isAlive(page));
	await within(30, "a style sheet", () =>
		page.evaluate(() =>
			getComputedStyle(document.body).fontFamily.includes("Inter"),
		),
	);
	for (const { what, file, edit, shows } of EDITS) {
		const path = join(clone, file);
		const before = readFileSync(path, "utf8");
		const after = edit(before);
		if (after === before)
			throw new Error(`${file} has changed: edit something else for ${what}`);
		writeFileSync(path, after);
		await within(EDIT_SECONDS, `an edit of ${what}`, () =>
			page.evaluate(shows),
		);
		await within(EDIT_SECONDS, "working islands", () => isAlive(page));
	}
} catch (error) {
	console.error(`✗ ${error.message}\n${output}`);
	process.exitCode = 1;
} finally {
	await browser?.close();
	if (isRunning()) {
		end("SIGINT");
		await once(watch, "exit");
	}
}

async function launchBrowser() {
	const { findChromium } = await import(resolve("end2end/chromium.mjs"));
	const { chromium } = await import(
		resolve("end2end/node_modules/@playwright/test/index.mjs")
	);
	return chromium.launch({
		executablePath: await findChromium(),
		args: ["--no-sandbox"],
	});
}

function isAlive(page) {
	return page.evaluate(() =>
		document.body.matches("[data-islands=alive]:not([data-page=entry])"),
	);
}

/** Waits until `test` returns true, and prints how long it took. Throws after the time limit. */
async function within(limit, what, test) {
	const started = performance.now();
	const seconds = () => (performance.now() - started) / 1000;
	while (seconds() < limit) {
		if (!isRunning())
			throw new Error(
				`cargo leptos watch ended with ${watch.exitCode ?? watch.signalCode}`,
			);
		// It throws while the server starts or a page loads.
		if (await test().catch(() => false))
			return console.log(`  ${what}: ${seconds().toFixed(1)} s`);
		await sleep(100);
	}
	throw new Error(`${what}: not within ${limit} s`);
}

function isRunning() {
	return watch.exitCode === null && watch.signalCode === null;
}

function end(signal) {
	if (isRunning()) process.kill(-watch.pid, signal);
}

/** Returns two different free ports. */
async function freePorts() {
	const servers = [0, 0].map((port) =>
		createServer().listen(port, "127.0.0.1"),
	);
	await Promise.all(servers.map((server) => once(server, "listening")));
	return servers.map((server) => {
		const { port } = server.address();
		server.close();
		return port;
	});
}
