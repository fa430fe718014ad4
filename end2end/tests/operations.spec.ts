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

base(
	"each command ends with its exit code and a reason, and repeats no key",
	async () => {
		const program = await startSandbox();
		const used = {
			LISTEN_ADDR: new URL(program.url).host,
			METRICS_ADDR: "",
			WIDGET_API_URL: "sandbox",
		};
		const nobody = "http://127.0.0.1:9/";
		const free = { LISTEN_ADDR: "127.0.0.1:0", METRICS_ADDR: "" };
		const sandbox = { ...free, WIDGET_API_URL: "sandbox" };
		const keyless = { ...free, WIDGET_API_URL: nobody };
		const key = newKey();
		const unreachable = {
			...keyless,
			SESSION_KEYS: key,
			TRUSTED_PROXIES: "none",
		};
		const silent = { RUST_LOG: "off" };
		const commands = [
			[
				"--check-config on the sandbox",
				["--check-config"],
				sandbox,
				0,
				/Ready to serve/,
			],
			[
				"--check-config without a widget API",
				["--check-config"],
				unreachable,
				2,
				/cannot be reached/,
			],
			[
				"--check-config without a key",
				["--check-config"],
				keyless,
				2,
				/openssl rand -hex 64/,
			],
			["start without a key", [], keyless, 2, /openssl rand -hex 64/],
			[
				"start without an address",
				[],
				{ ...free, SESSION_KEYS: key },
				2,
				/^Error: WIDGET_API_URL is required/,
			],
			[
				"start with a wrong log level",
				[],
				{ ...sandbox, RUST_LOG: "a=b=c" },
				2,
				/RUST_LOG/,
			],
			[
				"start with a missing folder",
				[],
				{ ...sandbox, ...silent, BRANDS_DIR: "/nowhere" },
				2,
				/BRANDS_DIR/,
			],
			// One line, without a backtrace.
			[
				"start at a used address",
				[],
				{ ...used, ...silent, RUST_BACKTRACE: "1" },
				2,
				/^Error: .*Address already in use.*\n$/,
			],
			[
				"check-api without a widget API",
				["check-api", nobody],
				{ CHECK_API_TOKEN: "a-token" },
				1,
				/^✗ POST \/validate-token: .*connection refused\n$/,
			],
			["check-api without a token", ["check-api", nobody], {}, 2, /--token/],
		] as const;
		for (const [name, parameters, env, code, pattern] of commands)
			await base.step(name, async () => {
				const ended = await run([...parameters], env);
				expect(ended).toEqual({
					code,
					output: expect.stringMatching(pattern),
				});
				expect(ended.output).not.toContain(key);
			});
		await program.stop();
	},
);

test("a shutdown is announced, and a second signal ends it at once", async ({
	page,
	program,
	newClient,
}) => {
	const client = newClient();
	client.hold("log");
	await startSession(page, client, "bank chosen");
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
