// try.mjs [check]: starts the product and the example of a widget API with your Pluggy credentials, prints a link, and
// then what happens to its items. `check` only checks that the credentials are set, before anything is built.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const EXAMPLE = "examples/widget-api";
if (existsSync(`${EXAMPLE}/.env`)) process.loadEnvFile(`${EXAMPLE}/.env`);

const { PLUGGY_CLIENT_ID, PLUGGY_CLIENT_SECRET } = process.env;
const BINARY = process.env.VINCULA_BIN || "target/run/vincula";
const PATIENCE_MS = 60_000;

if (!PLUGGY_CLIENT_ID || !PLUGGY_CLIENT_SECRET) {
	console.error(`make try needs credentials of Pluggy: PLUGGY_CLIENT_ID and PLUGGY_CLIENT_SECRET are not set.

  1. Sign up at https://dashboard.pluggy.ai, and create an application: it has both.
  2. export PLUGGY_CLIENT_ID=… PLUGGY_CLIENT_SECRET=…, or write both to ${EXAMPLE}/.env
  3. make try

Without them, make run shows the product on invented banks.`);
	process.exit(2);
}
if (process.argv[2] === "check") process.exit();

const productPort = await freePort(3000);
const apiPort = await freePort(4000);
const LOGS = `target/try/${productPort}`;
const env = {
	...process.env,
	VINCULA_URL: process.env.VINCULA_URL || `http://127.0.0.1:${productPort}`,
	PLUGGY_INCLUDE_SANDBOX: "true",
};
const running = [];
process.once("exit", () => {
	for (const child of running) child.kill();
});
for (const signal of ["SIGINT", "SIGTERM"])
	process.once(signal, () => process.exit(0));
mkdirSync(LOGS, { recursive: true });

const api = await start(
	"the example of a widget API",
	"example",
	[process.execPath, "src/main.js"],
	{ ...env, HOST: "127.0.0.1", PORT: String(apiPort) },
	/accepts the credentials: \d+ banks|cannot be used: [^"]*/,
	EXAMPLE,
);
if (!api.startsWith("accepts")) fail(`Pluggy ${api}`);
console.log(`✓ Pluggy ${api}`);
await start(
	"Vincula",
	"vincula",
	[BINARY],
	{
		...env,
		WIDGET_API_URL: `http://127.0.0.1:${apiPort}`,
		LISTEN_ADDR: `127.0.0.1:${productPort}`,
		METRICS_ADDR: "none",
		SESSION_KEYS: randomBytes(64).toString("hex"),
		TRUSTED_PROXIES: "none",
		BANK_CODES: "connector",
	},
	/listening/,
);
const { stdout: link, status } = spawnSync(
	"npm",
	["run", "--silent", "demo-link"],
	{
		cwd: EXAMPLE,
		env,
		encoding: "utf8",
		stdio: ["ignore", "pipe", "inherit"],
	},
);
if (status !== 0) fail("npm run demo-link has made no link");
console.log(`
Open this link in Chrome or Firefox:

  ${link.trim()}

1. Authorize, press "Integrar novo banco", choose "Pluggy Bank"; any name will do, and the CPF 529.982.247-25.
2. Pluggy's own Connect opens. The test bank's user is user-ok, its password password-ok.
3. The account is in the table within five minutes. "Cancelar a autorização" deletes the connection at Pluggy.

Ctrl+C ends both programs. What happens to each connection:
`);
await printItems();

/** Starts a program and waits for a line in its log. Returns the match. */
async function start(what, name, [command, ...parameters], env, ready, cwd) {
	const log = `${LOGS}/${name}.log`;
	console.log(`▸ starting ${what}: its log is ${log}`);
	const file = openSync(log, "w");
	const child = spawn(command, parameters, {
		cwd,
		env,
		stdio: ["ignore", file, file],
	});
	running.push(child);
	let end;
	child.once("error", (error) => (end = error.message));
	child.once("exit", (code) => (end = `it ended with ${code}`));
	const limit = performance.now() + PATIENCE_MS;
	for (;;) {
		const text = readFileSync(log, "utf8");
		const found = ready.exec(text)?.[0];
		if (found !== undefined) {
			child.once("exit", () => fail(`${what} has ended: see ${log}`));
			return found;
		}
		if (end !== undefined || performance.now() > limit)
			fail(`${what} does not start: ${end ?? "no answer"}\n${text}`);
		await pause(100);
	}
}

/** Prints the lines about items in the log of the example, as they come. */
async function printItems() {
	for (let printed = 0; ; await pause(500)) {
		const lines = readFileSync(`${LOGS}/example.log`, "utf8")
			.split("\n")
			.filter((line) => line.startsWith("{") && line.endsWith("}"))
			.map((line) => JSON.parse(line))
			.filter(({ item }) => item !== undefined);
		for (const { time, item, msg } of lines.slice(printed))
			console.log(`  ${time.slice(11, 19)}  ${item}  ${msg}`);
		printed = lines.length;
	}
}

/** Returns this port, or another one if it is in use. */
function freePort(port) {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once("error", ({ code }) =>
			code === "EADDRINUSE" && port !== 0
				? resolve(freePort(0))
				: reject(new Error(code)),
		);
		server.listen(port, "127.0.0.1", () => {
			const { port: free } = server.address();
			server.close(() => resolve(free));
		});
	});
}

function fail(why) {
	console.error(`✗ ${why}`);
	process.exit(1);
}
