// Runs docs/widget-api.openapi.yaml against `vincula sandbox` with schemathesis: valid and invalid requests of every
// shape, at most EXAMPLES per call, over loopback only.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

const EXAMPLES = 40;
const TOKEN = 'demo-aguardando.contract';
const BINARY = process.env.VINCULA_BIN ?? 'dist/vincula';
const SCHEMATHESIS = `${process.env.VINCULA_TOOLS}/schemathesis-${process.env.SCHEMATHESIS}/bin/schemathesis`;

const sandbox = spawn(BINARY, ['sandbox', '--addr', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
const stopped = once(sandbox, 'exit');
try {
  const url = await address();
  const xsrf = await xsrfToken(url);
  const parameters = [
    'run', 'docs/widget-api.openapi.yaml', '--url', url,
    '--header', `Authorization: Bearer ${TOKEN}`,
    '--header', `Cookie: XSRF-TOKEN=${xsrf}`,
    '--header', `X-XSRF-TOKEN: ${decodeURIComponent(xsrf)}`,
    '--phases', 'examples,coverage,fuzzing', '--max-examples', String(EXAMPLES), '--seed', '1',
    // An unknown token is 404 here, which has its own message for the client; the check expects 401.
    '--exclude-checks', 'ignored_auth',
    '--request-timeout', '10', '--max-redirects', '0', '--continue-on-failure', '--warnings', 'off',
  ];
  const env = { ...process.env, SCHEMATHESIS_HOOKS: 'contract_hooks', PYTHONPATH: 'scripts', PYTHONDONTWRITEBYTECODE: '1' };
  // Apart, because the sandbox refuses nearly every call after it.
  for (const which of ['--exclude-operation-id', '--include-operation-id']) {
    const selected = [...parameters, which, 'cancelIntegrations'];
    process.exitCode ||= spawnSync(SCHEMATHESIS, selected, { stdio: 'inherit', env }).status ?? 1;
  }
} finally {
  sandbox.kill('SIGTERM');
  await stopped;
}

/** The URL of the sandbox, from its output. */
async function address() {
  let said = '';
  for await (const chunk of sandbox.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    const url = /http:\/\/\S+\/widget-api/.exec(said)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error(`${BINARY} sandbox does not start`);
}

/** The value of the cookie that the validation sets. */
async function xsrfToken(url) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/validate-token`, { method: 'POST', headers, body: JSON.stringify({ token: TOKEN }) });
  return /XSRF-TOKEN=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')[1];
}
