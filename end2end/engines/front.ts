/**
 * A reverse proxy that terminates TLS in front of the program, as in production. It also collects the browser's errors,
 * since WebDriver has no events that both engines support: responses with an error status, and the reports of a script
 * that it inserts into each page before all others.
 */
import { createServer as createPlain, type IncomingMessage, request as ask, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate.ts';

export type Front = { url: string; stop: () => Promise<void> };

export type Watched = Front & {
  /** Errors so far; readers remove what they have read. */
  complaints: string[];
  /** The paths of all completed responses. */
  served: string[];
};

/** Host names of a server; browsers treat them as different sites. */
export type Host = '127.0.0.1' | 'localhost';

const SCRIPT = '/complaints.js';
const COMPLAINTS = '/complaints';

/** Forwards all requests to the program at this address. */
export async function startFront(program: string, certificate?: Certificate): Promise<Watched> {
  const complaints: string[] = [];
  const served: string[] = [];
  const hear = (complaint: string) => void complaints.push(complaint);
  const front = await serve('127.0.0.1', certificate, (request, response) => {
    response.on('finish', () => served.push(pathOf(request)));
    if (request.url === SCRIPT) response.writeHead(200, { 'content-type': 'text/javascript' }).end(LISTENER);
    else if (request.url === COMPLAINTS) void text(request).then(hear).then(() => response.writeHead(204).end());
    else pass(program, request, response, hear);
  });
  return { ...front, complaints, served };
}

/** Serves until it is stopped; over TLS if there is a certificate. */
export async function serve(host: Host, certificate: Certificate | undefined, answer: RequestListener): Promise<Front> {
  const server: Server = certificate === undefined ? createPlain(answer) : createSecure(certificate, answer);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://${host}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function pass(program: string, request: IncomingMessage, response: ServerResponse, hear: (text: string) => void): void {
  const { method, headers, url = '/' } = request;
  const isDocument = method === 'GET' && (headers.accept ?? '').includes('text/html');
  // Uncompressed, so that the script can be inserted.
  const given = isDocument ? { ...headers, 'accept-encoding': 'identity' } : headers;
  const onward = ask(program + url, { method: method ?? 'GET', headers: given }, (answer) => {
    const status = answer.statusCode ?? 0;
    if (status >= 400) hear(`status of ${status}: ${method} ${pathOf(request)}`);
    if (!isDocument || !(answer.headers['content-type'] ?? '').startsWith('text/html')) {
      response.writeHead(status, answer.headers);
      answer.pipe(response);
      return;
    }
    void text(answer)
      .then((page) => {
        const { 'content-length': _, ...others } = answer.headers;
        response.writeHead(status, others).end(page.replace('<head>', `<head><script src="${SCRIPT}"></script>`));
      })
      .catch(() => response.destroy());
  });
  onward.on('error', () => response.destroy());
  // The browser aborts the requests of a page that is left.
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

/** The path without the query, which may contain a link's token. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?')[0] ?? '';
}

async function text(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

/** Runs in the page. */
const LISTENER = `(() => {
  const tell = (text) => navigator.sendBeacon('${COMPLAINTS}', text);
  addEventListener('error', ({ message }) => tell('page error: ' + message));
  addEventListener('unhandledrejection', ({ reason }) => tell('unhandled rejection: ' + reason));
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    tell('policy violation: ' + effectiveDirective + ' ' + blockedURI);
  });
  for (const level of ['error', 'warn']) {
    const write = console[level];
    console[level] = (...words) => {
      tell('console ' + level + ': ' + words.join(' '));
      write.apply(console, words);
    };
  }
})();`;
