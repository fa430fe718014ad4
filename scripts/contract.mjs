// Runs docs/widget-api.openapi.yaml with schemathesis against `vincula sandbox`, and against the example of a widget API on its
// fake of Pluggy: valid and invalid requests of every shape, at most EXAMPLES per call, over loopback only.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { end, start, startSandbox } from "./processes.mjs";

const EXAMPLES = 40;
const SCHEMATHESIS = `${process.env.VINCULA_TOOLS}/schemathesis-${process.env.SCHEMATHESIS}/bin/schemathesis`;
const EXAMPLE = "examples/widget-api";

const sandbox = await startSandbox();
try {
	console.log("▸ the sandbox");
	await testApi(sandbox.found, "demo-aguardando.contract");
} finally {
	await end(sandbox);
}
const folder = mkdtempSync(join(tmpdir(), "vincula-contract-"));
const node = (script, env, ready) =>
	start(
		process.execPath,
		[`${EXAMPLE}/${script}`],
		{ PORT: "0", ...env },
		ready,
	);
const fake = await node("test/fake-pluggy.js", {}, /((?:export \S+\n){4})/);
const pluggy = Object.fromEntries(
	[...fake.found.matchAll(/export (\w+)=(\S+)/g)].map(([, name, value]) => [
		name,
		value,
	]),
);
const env = { ...pluggy, DATABASE: join(folder, "pluggy.db") };
const example = await node(
	"src/main.js",
	env,
	/(http:\S+)[\s\S]*accepts the credentials/,
);
try {
	console.log("▸ the example on the fake of Pluggy");
	const link = execFileSync("npm", ["run", "--silent", "demo-link"], {
		cwd: EXAMPLE,
		env: { ...process.env, ...env },
		encoding: "utf8",
	});
	await testApi(example.found, new URL(link.trim()).searchParams.get("token"));
} finally {
	await end(example);
	await end(fake);
	rmSync(folder, { recursive: true });
}

/** Tests the API at this URL, with the token of a link. */
async function testApi(url, token) {
	const { session, xsrf } = await validate(url, token);
	const parameters = [
		"run",
		"docs/widget-api.openapi.yaml",
		"--url",
		url,
		"--header",
		`Authorization: Bearer ${token}`,
		...(xsrf === undefined
			? []
			: [
					"--header",
					`Cookie: XSRF-TOKEN=${xsrf}`,
					"--header",
					`X-XSRF-TOKEN: ${decodeURIComponent(xsrf)}`,
				]),
		"--phases",
		"examples,coverage,fuzzing",
		"--max-examples",
		String(EXAMPLES),
		"--seed",
		"1",
		// The check expects 401, but the contract responds to an unknown token with 404.
		"--exclude-checks",
		"ignored_auth",
		"--request-timeout",
		"10",
		"--max-redirects",
		"0",
		"--continue-on-failure",
		"--warnings",
		"off",
	];
	const { customer_id, client_cpfcnpj, client_uuid } = session;
	const own = { token, customer_id, cpfcnpj: client_cpfcnpj, client_uuid };
	const env = {
		...process.env,
		SCHEMATHESIS_HOOKS: "contract_hooks",
		CONTRACT_OWN: JSON.stringify(own),
		PYTHONPATH: "scripts",
		PYTHONDONTWRITEBYTECODE: "1",
	};
	// Separate runs, because after a cancellation an API refuses nearly every call.
	for (const which of ["--exclude-operation-id", "--include-operation-id"]) {
		const selected = [...parameters, which, "cancelIntegrations"];
		process.exitCode ||=
			spawnSync(SCHEMATHESIS, selected, { stdio: "inherit", env }).status ?? 1;
	}
}

/** The session data of the link, and the cookie that the validation sets. */
async function validate(url, token) {
	const answer = await fetch(`${url}/validate-token`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ token }),
	});
	const { data } = await answer.json();
	const cookie = answer.headers.get("set-cookie") ?? "";
	return { session: data, xsrf: /XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1] };
}
