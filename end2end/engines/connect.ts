/** The stand-in for Pluggy Connect as a real server on another site. */
import { pageOf } from '../connect-stand-in.ts';
import type { Certificate } from './certificate.ts';
import { type HttpServer, serve } from './proxy.ts';

export function startConnect(certificate: Certificate): Promise<HttpServer> {
  return serve('localhost', certificate, (request, response) => {
    const page = pageOf(new URL(request.url ?? '/', 'https://localhost').pathname);
    if (page === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': page.contentType }).end(page.body);
  });
}
