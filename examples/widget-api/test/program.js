/** The API as it is started in production: a process, with its commands. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
	cpSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach } from "node:test";
import { promisify } from "node:util";
import { LinkCalls } from "./link-calls.js";
import { until } from "./until.js";

const SOURCE = join(import.meta.dirname, "..");
const CLOCK = join(import.meta.dirname, "clock.js");

const folder = mkdtempSync(join(tmpdir(), "widget-api-"));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

/** A copy of the code, because the API reads the file `.env` and writes `data` beside it. */
export const FOLDER = join(folder, "copy");
for (const name of ["src", "test", "schema.sql", "package.json"])
	cpSync(join(SOURCE, name), join(FOLDER, name), { recursive: true });
symlinkSync(join(SOURCE, "node_modules"), join(FOLDER, "node_modules"));

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
afterEach(() => {
	for (const child of running) child.kill("SIGKILL");
	running.clear();
});

/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(
	readFileSync(join(FOLDER, "package.json"), "utf8"),
);

/** Returns the path of an SQLite file that does not exist yet. */
export async function newFile() {
	files += 1;
	return join(folder, `${files}.db`);
}

/** @typedef {Awaited<ReturnType<typeof startProgram>>} Program */

/**
 * Starts the API.
 * @param {Record<string, string>} env
 * @param {{ clockMs?: number, script?: string }} options
 */
export async function startProgram(
	env,
	{ clockMs = 0, script = "src/main.js" } = {},
) {
	const clock = clockMs === 0 ? [] : ["--import", CLOCK];
	const child = spawn(process.execPath, [...clock, join(FOLDER, script)], {
		cwd: folder,
		env: {
			PATH: process.env.PATH,
			PORT: "0",
			...env,
			CLOCK_MS: `${clockMs}`,
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	let output = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (chunk) => (output += chunk));
	const ended = once(child, "exit");
	const url = await until(() => {
		if (child.exitCode !== null) throw new Error(output);
		return /listening at (http:[\w.:/]+)/.exec(output)?.[1];
	});
	const end = async (/** @type {NodeJS.Signals} */ signal) => {
		child.kill(signal);
		await ended;
	};
	running.add(child);
	return {
		url,
		child,
		output: () => output,
		/** Ends it as a supervisor does. */
		stop: () => end("SIGTERM"),
		/** Ends it as a failing machine does. */
		kill: () => end("SIGKILL"),
	};
}

/**
 * Runs a command of package.json, and returns its exit code and output.
 * @param {Record<string, string>} env
 * @param {string[]} args
 */
export async function run(env, ...args) {
	const [name = "", ...options] = args;
	const [, script = "", ...words] = (scripts[name] ?? "").split(" ");
	try {
		const { stdout, stderr } = await promisify(execFile)(
			process.execPath,
			[join(FOLDER, script), ...words, ...options],
			{ cwd: folder, env: { PATH: process.env.PATH, ...env } },
		);
		return { code: 0, stdout, stderr };
	} catch (error) {
		return /** @type {{ code: number, stdout: string, stderr: string }} */ (
			error
		);
	}
}

export const DOCUMENTS = ["12.345.678/0001-95", "529.982.247-25"];

/**
 * Makes a link with the command.
 * @param {Record<string, string>} env
 * @param {string} [document]
 * @param {string[]} more
 */
export async function newLink(env, document = DOCUMENTS[0] ?? "", ...more) {
	const kind = document.length === 14 ? "--cpf" : "--cnpj";
	const { stdout, stderr } = await run(
		env,
		"link",
		...[kind, document, "--client", "Padaria", ...more],
	);
	const token = /token=(\S+)/.exec(stdout)?.[1];
	if (token === undefined) throw new Error(stderr);
	return { token, document };
}

/**
 * Opens a link, as Vincula does.
 * @param {string} url of the API
 * @param {{ token: string, document: string }} link
 */
export async function open(url, { token, document }) {
	const link = new LinkCalls(url, token, { uuid: "", document });
	const { data } = await link.validate();
	link.client = { uuid: data?.client_uuid, document };
	return link;
}
