// Starts the program and its helpers as child processes of a check. They also end if the check fails.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";

const PATIENCE_MS = 20_000;
const BINARY = process.env.VINCULA_BIN ?? "dist/vincula";

const running = new Set();
process.once("exit", () => {
	for (const child of running) child.kill("SIGKILL");
});

/**
 * Starts a program and waits until its output matches `ready`. Throws if it does not in time.
 * @returns `child`: the process; `found`: the first group of the match; `errors`: logged errors
 */
export async function start(command, parameters, env, ready) {
	const child = spawn(command, parameters, {
		env: { PATH: process.env.PATH, ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	running.add(child);
	child.once("exit", () => running.delete(child));
	const errors = [];
	let output = "";
	let match = null;
	await new Promise((resolve, reject) => {
		const fail = (why) =>
			reject(
				new Error(`${command} ${parameters.join(" ")}: ${why}\n${output}`),
			);
		const timer = setTimeout(
			() => fail(`no output matched ${ready}`),
			PATIENCE_MS,
		);
		const read = (coloured) => {
			const line = stripVTControlCharacters(coloured);
			if (/ ERROR |panicked/.test(line)) errors.push(line);
			if (match !== null) return;
			output += `${line}\n`;
			match = ready.exec(output);
			if (match === null) return;
			clearTimeout(timer);
			resolve();
		};
		for (const input of [child.stdout, child.stderr])
			createInterface({ input }).on("line", read);
		child.once("error", (error) =>
			fail(error.code === "ENOENT" ? "is not installed" : error.message),
		);
		child.once("exit", (code) => fail(`ended with ${code}`));
	});
	return { child, found: match[1], errors };
}

/** Ends a program and waits until it has ended. */
export async function end({ child }, signal = "SIGTERM") {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = once(child, "exit");
	child.kill(signal);
	await gone;
}

/** Starts the sandbox's widget API without the product; `found` is its base URL. */
export const startSandbox = (...options) =>
	start(
		BINARY,
		["sandbox", "--addr", "127.0.0.1:0", ...options],
		{},
		/(http:\/\/\S+\/widget-api)[\s\S]*connect\/items/,
	);

/** Settings for one or more products with shared sessions, behind a proxy on loopback. */
export const newSettings = (upstream) => ({
	WIDGET_API_URL: upstream,
	SESSION_KEYS: randomBytes(64).toString("hex"),
	TRUSTED_PROXIES: "127.0.0.1",
});

/** Starts the product on these addresses, by default on free ports. */
export async function startProduct(
	settings,
	listen = "127.0.0.1:0",
	metrics = "127.0.0.1:0",
) {
	const ready =
		/((?:metrics=\S+[\s\S]*listening address=|listening address=\S+[\s\S]*metrics=)\S+)/;
	const started = await start(
		BINARY,
		[],
		{ ...settings, LISTEN_ADDR: listen, METRICS_ADDR: metrics },
		ready,
	);
	const at = (name) => new RegExp(`${name}=(\\S+)`).exec(started.found)[1];
	return {
		...started,
		url: `http://${at("address")}`,
		metrics: `http://${at("metrics")}/metrics`,
	};
}
