/** Starts the program under test as it is shipped: a child process, configured by its environment only. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

export const BINARY =
	process.env.VINCULA_BIN ??
	fileURLToPath(new URL("../../dist/vincula", import.meta.url));

/** The limit for the program to start listening. */
const PATIENCE_MS = 15_000;

type Settings = Record<string, string>;

export type Program = {
	url: string;
	process: ChildProcess;
	/** Its output so far, without colours. */
	output: () => string;
	stop: () => Promise<void>;
	/** Ends it without a shutdown, as if its machine failed. */
	kill: () => Promise<void>;
};

/** Every program that the tests of this worker have started. */
export const programs: Program[] = [];

/** The program on its embedded sandbox. */
export const startSandbox = (settings: Settings = {}): Promise<Program> =>
	start({ WIDGET_API_URL: "sandbox", ...settings });

/** The program with this widget API; all other settings keep their defaults. */
export const startProduction = (
	WIDGET_API_URL: string,
	settings: Settings = {},
): Promise<Program> =>
	start({
		WIDGET_API_URL,
		SESSION_KEYS: newKey(),
		TRUSTED_PROXIES: "none",
		...settings,
	});

/** A key of the session cookie. */
export const newKey = (): string => randomBytes(64).toString("hex");

async function start(settings: Settings): Promise<Program> {
	if (!existsSync(BINARY))
		throw new Error(`${BINARY} is missing: run make e2e, or set VINCULA_BIN`);
	// Port 0: the system assigns a free one, and the program logs it.
	// Several run at the same time, so none has a fixed address for metrics.
	const env = { LISTEN_ADDR: "127.0.0.1:0", METRICS_ADDR: "none", ...settings };
	const { found, ...program } = await run(
		BINARY,
		[],
		env,
		/listening(?: address=|","address":")([\d.:]+)/,
	);
	const started = { url: `http://${found[1]}`, ...program };
	programs.push(started);
	return started;
}

const EXAMPLE = fileURLToPath(
	new URL("../../examples/widget-api/", import.meta.url),
);

/**
 * Starts the example of a widget API on Pluggy or on the fake of Pluggy. `link` makes a link of its demo
 * client, and returns the token.
 */
export async function startExample(pluggy: Settings) {
	const folder = await mkdtemp(join(tmpdir(), "vincula-example-"));
	const env = { ...pluggy, DATABASE_URL: join(folder, "pluggy.db") };
	const { found, output, stop } = await run(
		process.execPath,
		[join(EXAMPLE, "src/main.js")],
		{ PORT: "0", ...env },
		/(http:[\w.:/]+)[\s\S]*accepts the credentials/,
	);
	return {
		url: found[1] ?? "",
		output,
		link: (...options: string[]) => {
			const script = ["run", "--silent", "demo-link", "--", ...options];
			const link = execFileSync("npm", script, {
				cwd: EXAMPLE,
				env: { ...process.env, ...env },
				encoding: "utf8",
				stdio: ["ignore", "pipe", "pipe"],
			});
			return new URL(link).searchParams.get("token") ?? "";
		},
		stop: async () => {
			await stop();
			await rm(folder, { recursive: true });
		},
	};
}

/** Starts a command, and waits until its output matches `ready`. */
async function run(
	command: string,
	args: string[],
	env: Settings,
	ready: RegExp,
) {
	const child = spawn(command, args, {
		env: { PATH: process.env.PATH ?? "", ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const killChild = () => void child.kill("SIGKILL");
	process.once("exit", killChild);
	let written = "";
	const output = () => stripVTControlCharacters(written);
	const found = await new Promise<RegExpExecArray>((resolve, reject) => {
		const fail = (reason: unknown) => {
			killChild();
			reject(new Error(`${command}: ${reason}\n${output()}`));
		};
		const timer = setTimeout(fail, PATIENCE_MS, "does not start");
		const read = (chunk: Buffer) => {
			written += chunk.toString();
			const match = ready.exec(output());
			if (match === null) return;
			clearTimeout(timer);
			resolve(match);
		};
		child.stdout.on("data", read);
		child.stderr.on("data", read);
		child.once("error", fail);
		child.once("exit", (code) => fail(`ended with ${code}`));
	});
	const end = async (signal: NodeJS.Signals) => {
		process.removeListener("exit", killChild);
		if (child.exitCode !== null || child.signalCode !== null) return;
		const gone = once(child, "exit");
		child.kill(signal);
		await gone;
	};
	return {
		found,
		process: child,
		output,
		stop: () => end("SIGTERM"),
		kill: () => end("SIGKILL"),
	};
}
