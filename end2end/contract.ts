/** Checks requests against the contract: method, JSON, bearer, XSRF, and exactly the payload's keys. */
import type { Client } from './client.ts';
import type { CallName, RecordedRequest } from './widget-api.ts';

const CONTRACT: Record<CallName, { method: 'GET' | 'POST' | 'PUT'; keys: readonly string[]; optional?: string }> = {
  'validate-token': { method: 'POST', keys: ['token'], optional: 'no_validate' },
  'authorize-customer': { method: 'POST', keys: ['customer_id'] },
  'list-accounts': { method: 'GET', keys: [] },
  'cancel-integrations': { method: 'POST', keys: ['cpfcnpj'] },
  'list-banks': { method: 'GET', keys: [] },
  success: { method: 'POST', keys: ['token'] },
  'connect-token': { method: 'POST', keys: ['client_uuid', 'link_id'] },
  log: { method: 'POST', keys: ['data_log', 'status', 'type'] },
  'update-link-account': { method: 'PUT', keys: ['link'] },
};

const LOG_TYPES = [
  'pluggy-getConnectToken-request',
  'pluggy-getConnectToken-response',
  'pluggy-widget-success',
  'pluggy-widget-error',
];

/** All contract violations of a request of this client. */
export function violationsOf(request: RecordedRequest, client: Client): string[] {
  const { method, keys, optional } = CONTRACT[request.call];
  const violations: string[] = [];
  const check = (holds: boolean, what: string): void => {
    if (!holds) violations.push(`${request.call}: ${what}`);
  };
  const body = isRecord(request.body) ? request.body : {};
  const sent = Object.keys(body)
    .filter((key) => key !== optional)
    .sort();
  check(request.method === method, `method ${request.method}`);
  check(sent.join() === keys.join(), `keys ${sent.join()}`);
  if (keys.length === 0) check(request.text === '', `a GET with a body`);
  else check(request.headers['content-type']?.split(';')[0] === 'application/json', 'content type');
  if (request.call === 'log') {
    check(LOG_TYPES.includes(String(body.type)), `type ${String(body.type)}`);
    check(body.status === 'SUCCESS' || body.status === 'ERROR', `status ${String(body.status)}`);
    check(isJson(body.data_log), 'data_log is no JSON text');
    for (const secret of secretsOf(client)) check(!request.text.includes(secret), 'a secret in the log');
  }
  const { authorization, cookie, 'x-xsrf-token': xsrf } = request.headers;
  const isFirst = request.call === 'validate-token' && authorization === undefined;
  check(isFirst || authorization === `Bearer ${client.token}`, `authorization ${authorization}`);
  const given = !isFirst && client.xsrfGiven;
  check(xsrf === (given ? client.xsrf.header : undefined), `X-XSRF-TOKEN ${xsrf}`);
  check(cookie === (given ? `XSRF-TOKEN=${client.xsrf.cookie}` : undefined), `cookie ${cookie}`);
  return violations;
}

/** Texts that must never be in a log; documents with and without punctuation. */
export function secretsOf(client: Client): string[] {
  const documents = [client.data.client_cpfcnpj, client.data.widget_account_admin_cpfcnpj ?? ''];
  const forms = documents.flatMap((text) => [text, text.replace(/[./-]/g, '')]);
  return [client.token, client.connectToken, ...forms].filter((text) => text.length >= 11);
}

function isJson(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
