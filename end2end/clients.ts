/** The clients of one test, with checks of their calls and of the program's log after it. */
import { expect } from '@playwright/test';
import type { Client, SessionData } from './client.ts';
import { secretsOf } from './contract.ts';
import type { Program } from './servers.ts';
import type { Upstream } from './upstream.ts';

export async function useClients(
  upstream: Upstream,
  program: Program,
  use: (newClient: (data?: Partial<SessionData>) => Client) => Promise<void>,
): Promise<void> {
  const clients: Client[] = [];
  await use((data) => {
    const client = upstream.client(data);
    clients.push(client);
    return client;
  });
  const violations = [...upstream.strays.splice(0), ...clients.flatMap((client) => client.violations)];
  expect(violations, 'violations of the contract with the widget API').toEqual([]);
  const written = program.output();
  const leaked = clients.flatMap(secretsOf).filter((secret) => written.includes(secret));
  expect(leaked, "secrets in the program's log").toEqual([]);
}
