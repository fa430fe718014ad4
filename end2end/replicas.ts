/** Two instances of the program behind one address, as with a load balancer: requests alternate between them. */
import { createServer, type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newKey, type Program, startReplica } from './servers.ts';

export class Replicas {
  url = '';
  readonly #upstream: string;
  readonly #running: (Program | undefined)[] = [undefined, undefined];
  /** The instance that got the latest request for a path. */
  readonly #handling = new Map<string, number>();
  readonly #server = createServer((request, response) => this.#forward(request, response));
  #keys = [newKey()];
  #next = 0;

  private constructor(upstream: string) {
    this.#upstream = upstream;
  }

  static async start(upstream: string): Promise<Replicas> {
    const replicas = new Replicas(upstream);
    for (const at of replicas.#running.keys()) await replicas.#run(at);
    await new Promise<void>((resolve) => replicas.#server.listen(0, '127.0.0.1', resolve));
    replicas.url = `http://127.0.0.1:${(replicas.#server.address() as AddressInfo).port}`;
    return replicas;
  }

  /** Kills the instance that is handling this path, and starts it again. */
  async crash(path: string): Promise<void> {
    const at = this.#handling.get(path);
    if (at === undefined) throw new Error(`no instance handles ${path}`);
    await this.#running[at]?.kill();
    await this.#run(at);
  }

  /** Restarts each instance with these keys, one after the other; `between` runs after each. */
  async roll(keys: string[], between: () => Promise<void>): Promise<void> {
    this.#keys = keys;
    for (const at of this.#running.keys()) {
      const leaving = this.#running[at];
      // The load balancer stops sending requests before the program stops (`/readyz`); the page still sends them.
      this.#running[at] = undefined;
      await leaving?.stop();
      await this.#run(at);
      await between();
    }
  }

  get keys(): string[] {
    return this.#keys;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await Promise.all(this.#running.map((program) => program?.stop()));
  }

  async #run(at: number): Promise<void> {
    this.#running[at] = undefined;
    this.#running[at] = await startReplica(this.#upstream, this.#keys);
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const at = this.#next++ % this.#running.length;
    const program = this.#running[at];
    if (program === undefined) return this.#forward(request, response);
    const path = request.url ?? '/';
    this.#handling.set(path, at);
    const { method, headers } = request;
    const forwarded = sendRequest(`${program.url}${path}`, { method: method ?? 'GET', headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
      reply.on('error', () => response.destroy());
    });
    forwarded.on('error', () => {
      // An HTML page, as nginx sends.
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>');
      else response.destroy();
    });
    request.pipe(forwarded);
  }
}
