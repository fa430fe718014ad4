/**
 * The test widget API, written from the contract alone: it shares nothing with the program's client or its sandbox. It
 * responds to each token as that token's test has scripted, and records all requests in order.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, type SessionData } from './client.ts';
import { violationsOf } from './contract.ts';
import { CALLS, type RecordedRequest, type ScriptedResponse } from './widget-api.ts';

/** The calls are below a path, as a real base URL may have one. */
const BASE = '/widget/v1';

export type Upstream = {
  url: string;
  /** Adds a client of the firm with their own link. */
  client: (data?: Partial<SessionData>) => Client;
  /** Requests without the token of a client. */
  strays: string[];
  stop: () => Promise<void>;
};

export async function startUpstream(): Promise<Upstream> {
  const clients = new Map<string, Client>();
  const strays: string[] = [];
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      strays.push(String(error));
      response.destroy();
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const recorded = await read(request);
    const client = recorded === undefined ? undefined : clients.get(tokenOf(recorded));
    if (recorded === undefined || client === undefined) {
      if (recorded?.call !== 'validate-token') strays.push(`${request.method} ${request.url}`);
      return send(response, errorResponse(404, 'Token not found'));
    }
    client.violations.push(...violationsOf(recorded, client));
    client.calls.push(recorded);
    await client.released(recorded.call);
    send(response, client.responseTo(recorded.call));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${BASE}`,
    client: (data = {}) => {
      const client = new Client(data);
      clients.set(client.token, client);
      return client;
    },
    strays,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An error response in the envelope of the spec. */
export function errorResponse(status: number, message: string, data: unknown = null): ScriptedResponse {
  return { status, json: { data, meta: { status, message } } };
}

async function read(request: IncomingMessage): Promise<RecordedRequest | undefined> {
  const path = request.url ?? '';
  const call = CALLS.find((name) => path === `${BASE}/${name}`);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString();
  if (call === undefined) return undefined;
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  return { call, method: request.method ?? '', path, headers: request.headers, text, body };
}

/** The client's token: the bearer, or the one in the body of a validation. */
function tokenOf({ headers, body }: RecordedRequest): string {
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const named = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined;
  return typeof named === 'string' ? named : '';
}

function send(response: ServerResponse, scripted: ScriptedResponse): void {
  if (scripted === 'drop') {
    response.destroy();
  } else if (scripted === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"data":', () => response.destroy());
  } else if ('text' in scripted) {
    response.writeHead(scripted.status ?? 200, { 'content-type': scripted.type }).end(scripted.text);
  } else {
    response.writeHead(scripted.status ?? 200, { 'content-type': 'application/json', ...scripted.headers });
    response.end(JSON.stringify(scripted.json));
  }
}
