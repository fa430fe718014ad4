/** The program as an operator runs it: its commands and its stop. What they find and print: `src/cli`, `src/server/tests`. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { test as base, expect } from "../support/fixtures.ts";
import {
	BINARY,
	newKey,
	type Program,
	startProduction,
	startSandbox,
} from "../support/servers.ts";
import { startSession } from "../support/steps.ts";

type Command = {
	name: string;
	parameters: string[];
	env: Record<string, string>;
	/** How it ends. */
	code: number;
	output: RegExp;
};

/** Runs the program until it exits. */
async function run(
	parameters: string[],
	env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
	const child = execFile(BINARY, parameters, { env, timeout: 30_000 });
	let output = "";
	for (const stream of [child.stdout, child.stderr])
		stream?.on("data", (chunk: string) => (output += chunk));
	const [code] = (await once(child, "close")) as [number | null];
	return { code, output };
}

const test = base.extend<{ program: Program }>({
	program: async ({ upstream }, use) => {
		const program = await startProduction(upstream.url, {
			METRICS_ADDR: "127.0.0.1:0",
		});
		await use(program);
		await program.stop();
	},
	baseURL: async ({ program }, use) => use(program.url),
});

test("each command ends with its exit code and a reason, and repeats no key", async () => {
	const program = await startSandbox();
	const used = {
		LISTEN_ADDR: new URL(program.url).host,
		METRICS_ADDR: "none",
		WIDGET_API_URL: "sandbox",
	};
	const nobody = "http://127.0.0.1:9/";
	const free = { LISTEN_ADDR: "127.0.0.1:0", METRICS_ADDR: "none" };
	const sandbox = { ...free, WIDGET_API_URL: "sandbox" };
	const keyless = { ...free, WIDGET_API_URL: nobody };
	const key = newKey();
	const unreachable = {
		...keyless,
		SESSION_KEYS: key,
		TRUSTED_PROXIES: "none",
	};
	const silent = { RUST_LOG: "off" };
	const commands: Command[] = [
		{
			name: "--version names the commit",
			parameters: ["--version"],
			env: {},
			code: 0,
			output: /^vincula \d+\.\d+\.\d+\+([0-9a-f]{7,}(-dirty)?|local)\n$/,
		},
		{
			name: "--help beside a wrong variable",
			parameters: ["--help"],
			env: { SESSION_SECS: "4h" },
			code: 0,
			output: /Usage: vincula/,
		},
		{
			name: "--check-config on the sandbox",
			parameters: ["--check-config"],
			env: sandbox,
			code: 0,
			output: /Ready to serve/,
		},
		{
			name: "--check-config with empty variables, without certificates",
			parameters: ["--check-config"],
			env: {
				...sandbox,
				RUST_LOG: "",
				BRANDS_DIR: "",
				BANK_CODES: "",
				SESSION_KEYS: "",
				SSL_CERT_FILE: "/dev/null",
			},
			code: 0,
			output: /Ready to serve/,
		},
		{
			name: "an https API without certificates",
			parameters: ["--check-config"],
			env: {
				...unreachable,
				WIDGET_API_URL: "https://127.0.0.1:9/",
				SSL_CERT_FILE: "/dev/null",
			},
			code: 1,
			output: /ca-certificates/,
		},
		{
			name: "--check-config without a widget API",
			parameters: ["--check-config"],
			env: unreachable,
			code: 2,
			output: /cannot be reached/,
		},
		{
			name: "--check-config without a key",
			parameters: ["--check-config"],
			env: keyless,
			code: 2,
			output: /openssl rand -hex 64/,
		},
		{
			name: "--check-config names every setting that is wrong",
			parameters: ["--check-config"],
			env: {
				...unreachable,
				SESSION_KEYS: "abc",
				SESSION_SECS: "4h",
				LOG_FORMAT: "xml",
				TRUSTED_PROXIES: "",
				BRANDS_DIR: "/nowhere",
			},
			code: 2,
			output: new RegExp(
				[
					"^Error: invalid value 'xml' for '--log-format <LOG_FORMAT>'",
					".*possible values.*",
					".*<SESSION_KEYS>.*",
					".*<SESSION_SECS>.*",
					"TRUSTED_PROXIES is required.*",
					"BRANDS_DIR: .*\\n$",
				].join("\\n {2}"),
			),
		},
		{
			name: "start without a key",
			parameters: [],
			env: keyless,
			code: 2,
			output: /openssl rand -hex 64/,
		},
		{
			name: "start without an address",
			parameters: [],
			env: { ...free, SESSION_KEYS: key },
			code: 2,
			output: /^Error: WIDGET_API_URL is required/,
		},
		{
			name: "start with a wrong log level",
			parameters: [],
			env: { ...sandbox, RUST_LOG: "a=b=c" },
			code: 2,
			output: /RUST_LOG/,
		},
		{
			name: "start with a missing folder",
			parameters: [],
			env: { ...sandbox, ...silent, BRANDS_DIR: "/nowhere" },
			code: 2,
			output: /BRANDS_DIR/,
		},
		{
			name: "start at a used address",
			parameters: [],
			env: { ...used, ...silent, RUST_BACKTRACE: "1" },
			code: 2,
			// One line, without a backtrace.
			output: /^Error: .*Address already in use.*\n$/,
		},
		{
			name: "check-api without a widget API",
			parameters: ["check-api", nobody],
			env: { CHECK_API_TOKEN: "a-token" },
			code: 1,
			output: /^✗ POST \/validate-token: .*connection refused\n$/,
		},
		{
			name: "check-api without a token",
			parameters: ["check-api", nobody],
			env: {},
			code: 2,
			output: /--token/,
		},
	];
	for (const { name, parameters, env, code, output } of commands)
		await test.step(name, async () => {
			const ended = await run(parameters, env);
			expect(ended).toEqual({ code, output: expect.stringMatching(output) });
			expect(ended.output).not.toContain(key);
		});
	await program.stop();
});

test("a shutdown is announced, and a second signal ends it at once", async ({
	page,
	program,
	newClient,
}) => {
	const client = newClient();
	// Cut off by the second signal.
	client.hold("log");
	await startSession(page, client, "connect opened");
	const metrics = `http://${/metrics=(\S+)/.exec(program.output())?.[1]}`;
	const counted = await (await fetch(`${metrics}/metrics`)).text();
	expect(counted).toContain(
		'vincula_upstream_calls_total{endpoint="validate-token",outcome="ok"} 1\n',
	);
	expect(
		(await fetch(`${program.url}/metrics`)).status,
		"no metrics on the public address",
	).toBe(404);

	const gone = once(program.process, "close");
	program.process.kill("SIGTERM");
	await expect
		.poll(async () => (await fetch(`${metrics}/readyz`)).status)
		.toBe(503);
	expect(
		(
			await fetch(`${program.url}/healthz`, {
				headers: { connection: "close" },
			})
		).status,
	).toBe(200);
	program.process.kill("SIGTERM");
	await expect.poll(program.output).toContain("stopping at once");
	expect(await gone).toEqual([0, null]);
});
