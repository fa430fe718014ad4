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
	"each command ends with the exit code of the guide, and repeats no key",
	async () => {
		const program = await startSandbox();
		const taken = {
			LISTEN_ADDR: new URL(program.url).host,
			METRICS_ADDR: "",
			WIDGET_API_URL: "sandbox",
		};
		const free = { LISTEN_ADDR: "127.0.0.1:0", METRICS_ADDR: "" };
		const sandbox = { ...free, WIDGET_API_URL: "sandbox" };
		const keyless = { ...free, WIDGET_API_URL: "http://127.0.0.1:9/" };
		const key = newKey();
		const unreachable = {
			...keyless,
			SESSION_KEYS: key,
			TRUSTED_PROXIES: "none",
		};
		for (const [parameters, env, code, pattern] of [
			[["--check-config"], sandbox, 0, /Ready to serve/],
			[["--check-config"], unreachable, 2, /cannot be reached/],
			[["--check-config"], keyless, 2, /openssl rand -hex 64/],
			[[], keyless, 2, /openssl rand -hex 64/],
			[
				[],
				{ ...free, SESSION_KEYS: key },
				2,
				/^Error: WIDGET_API_URL is required/,
			],
			[[], { ...sandbox, RUST_LOG: "a=b=c" }, 2, /RUST_LOG/],
			[
				[],
				{ ...sandbox, RUST_LOG: "off", BRANDS_DIR: "/nowhere" },
				2,
				/BRANDS_DIR/,
			],
			// One line, without a backtrace.
			[
				[],
				{ ...taken, RUST_BACKTRACE: "1", RUST_LOG: "off" },
				2,
				/^Error: .*Address already in use.*\n$/,
			],
			[
				["check-api", "http://127.0.0.1:9/"],
				{ CHECK_API_TOKEN: "a-token" },
				1,
				/^✗ POST \/validate-token: .*connection refused\n$/,
			],
			[["check-api", "http://127.0.0.1:9/"], {}, 2, /--token/],
		] as const) {
			const ended = await run([...parameters], env);
			expect(ended, parameters.join(" ")).toEqual({
				code,
				output: expect.stringMatching(pattern),
			});
			expect(ended.output).not.toContain(key);
		}
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
	const signal = () => {
		program.process.kill("SIGTERM");
		return program.output();
	};
	await expect.poll(signal).toContain("stopping at once");
	expect(await gone).toEqual([0, null]);
});
