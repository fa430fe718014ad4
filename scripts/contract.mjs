// Runs docs/widget-api.openapi.yaml against `vincula sandbox` with schemathesis: valid and invalid requests of every
// shape, at most EXAMPLES per call, over loopback only.
import { spawnSync } from "node:child_process";
import { end, startSandbox } from "./processes.mjs";

const EXAMPLES = 40;
const TOKEN = "demo-aguardando.contract";
const SCHEMATHESIS = `${process.env.VINCULA_TOOLS}/schemathesis-${process.env.SCHEMATHESIS}/bin/schemathesis`;

const sandbox = await startSandbox();
const url = sandbox.found;
try {
	const xsrf = await xsrfToken();
	const parameters = [
		"run",
		"docs/widget-api.openapi.yaml",
		"--url",
		url,
		"--header",
		`Authorization: Bearer ${TOKEN}`,
		"--header",
		`Cookie: XSRF-TOKEN=${xsrf}`,
		"--header",
		`X-XSRF-TOKEN: ${decodeURIComponent(xsrf)}`,
		"--phases",
		"examples,coverage,fuzzing",
		"--max-examples",
		String(EXAMPLES),
		"--seed",
		"1",
		// An unknown token is 404 here, which has its own message for the client; the check expects 401.
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
	const env = {
		...process.env,
		SCHEMATHESIS_HOOKS: "contract_hooks",
		PYTHONPATH: "scripts",
		PYTHONDONTWRITEBYTECODE: "1",
	};
	// Apart, because the sandbox refuses nearly every call after it.
	for (const which of ["--exclude-operation-id", "--include-operation-id"]) {
		const selected = [...parameters, which, "cancelIntegrations"];
		process.exitCode ||=
			spawnSync(SCHEMATHESIS, selected, { stdio: "inherit", env }).status ?? 1;
	}
} finally {
	await end(sandbox);
}

/** The value of the cookie that the validation sets. */
async function xsrfToken() {
	const headers = { "content-type": "application/json" };
	const answer = await fetch(`${url}/validate-token`, {
		method: "POST",
		headers,
		body: JSON.stringify({ token: TOKEN }),
	});
	return /XSRF-TOKEN=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")[1];
}
