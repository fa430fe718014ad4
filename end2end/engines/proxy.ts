/**
 * A reverse proxy that terminates TLS in front of the program, as in production. It also collects the browser's errors,
 * since WebDriver has no events that both engines support: responses with an error status, and the reports of a script
 * that it inserts into each page before all others.
 */
import { createServer as createPlain, type IncomingMessage, request as sendRequest, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate.ts';

export type HttpServer = { url: string; stop: () => Promise<void> };

export type RecordingProxy = HttpServer & {
  /** The errors since they were last read; readers remove them. */
  errors: string[];
  /** The paths of all completed responses. */
  served: string[];
};

/** Host names of a server; browsers treat them as different sites. */
export type Host = '127.0.0.1' | 'localhost';

const SCRIPT_PATH = '/browser-errors.js';
const REPORT_PATH = '/browser-errors';

/** Forwards all requests to the program at this address. */
export async function startProxy(program: string, certificate?: Certificate): Promise<RecordingProxy> {
  const errors: string[] = [];
  const served: string[] = [];
  const addError = (text: string) => void errors.push(text);
  const proxy = await serve('127.0.0.1', certificate, (request, response) => {
    response.on('finish', () => served.push(pathOf(request)));
    if (request.url === SCRIPT_PATH) response.writeHead(200, { 'content-type': 'text/javascript' }).end(SCRIPT);
    else if (request.url === REPORT_PATH) void text(request).then(addError).then(() => response.writeHead(204).end());
    else forward(program, request, response, addError);
  });
  return { ...proxy, errors, served };
}

/** Serves until it is stopped; over TLS if there is a certificate. */
export async function serve(host: Host, certificate: Certificate | undefined, listener: RequestListener): Promise<HttpServer> {
  const server: Server = certificate === undefined ? createPlain(listener) : createSecure(certificate, listener);
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

function forward(program: string, request: IncomingMessage, response: ServerResponse, addError: (text: string) => void): void {
  const { method, headers, url = '/' } = request;
  const isDocument = method === 'GET' && (headers.accept ?? '').includes('text/html');
  // Uncompressed, so that the script can be inserted.
  const forwardedHeaders = isDocument ? { ...headers, 'accept-encoding': 'identity' } : headers;
  const forwarded = sendRequest(program + url, { method: method ?? 'GET', headers: forwardedHeaders }, (reply) => {
    const status = reply.statusCode ?? 0;
    if (status >= 400) addError(`status of ${status}: ${method} ${pathOf(request)}`);
    if (!isDocument || !(reply.headers['content-type'] ?? '').startsWith('text/html')) {
      response.writeHead(status, reply.headers);
      reply.pipe(response);
      return;
    }
    void text(reply)
      .then((page) => {
        const { 'content-length': _, ...others } = reply.headers;
        response.writeHead(status, others).end(page.replace('<head>', `<head><script src="${SCRIPT_PATH}"></script>`));
      })
      .catch(() => response.destroy());
  });
  forwarded.on('error', () => response.destroy());
  // The browser aborts the requests of a page that is left.
  response.on('close', () => forwarded.destroy());
  request.pipe(forwarded);
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
const SCRIPT = `(() => {
  const report = (text) => navigator.sendBeacon('${REPORT_PATH}', text);
  addEventListener('error', ({ message }) => report('page error: ' + message));
  addEventListener('unhandledrejection', ({ reason }) => report('unhandled rejection: ' + reason));
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    report('policy violation: ' + effectiveDirective + ' ' + blockedURI);
  });
  for (const level of ['error', 'warn']) {
    const write = console[level];
    console[level] = (...words) => {
      report('console ' + level + ': ' + words.join(' '));
      write.apply(console, words);
    };
  }
})();`;
