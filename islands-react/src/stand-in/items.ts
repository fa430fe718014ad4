/** The items that the stand-in passes to its host, in Pluggy's shape. */
import { isRecord } from '../wire';
import type { Host } from './host';

export type Item = Record<string, unknown> & { id: string };

/** The name of a connector's bank; undefined if the sandbox has no such bank. */
export async function nameOfConnector(id: number): Promise<string | undefined> {
  try {
    const response = await fetch(`/sandbox/connect/connectors/${id}`);
    const body: unknown = response.ok ? await response.json() : undefined;
    return isRecord(body) && typeof body.name === 'string' ? body.name : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Asks the sandbox to connect (or update) an item, which is done or awaits another person's approval; undefined if that
 * fails.
 */
export async function connectItem(host: Host, awaitsApproval: boolean): Promise<Item | undefined> {
  const { connectToken, updateItem, selectedConnectorId: connectorId } = host;
  try {
    const response = await fetch('/sandbox/connect/items', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'same-origin',
      body: JSON.stringify({ connectToken, updateItem, connectorId, awaitsApproval }),
    });
    const body: unknown = response.ok ? await response.json() : undefined;
    return isRecord(body) && isItem(body.item) ? body.item : undefined;
  } catch {
    return undefined;
  }
}

/** An item that is not connected; the sandbox does not store it. */
export function failedItem(status: 'LOGIN_ERROR' | 'OUTDATED', code: string, message: string): Item {
  const tail = String(Math.floor(Math.random() * 1e12)).padStart(12, '0');
  return { id: `00000000-0000-4000-8000-${tail}`, status, executionStatus: code, error: { code, message } };
}

/** Masks a document except for its middle, which QA needs: 123.456.789-09 → ***.456.789-**. */
export function masked(document: string): string {
  const bare = document.replace(/[^0-9A-Za-z]/g, '');
  if (bare.length === 11) return `***.${bare.slice(3, 6)}.${bare.slice(6, 9)}-**`;
  return `${'*'.repeat(Math.max(0, bare.length - 6))}${bare.slice(-6, -2)}**`;
}

function isItem(value: unknown): value is Item {
  return isRecord(value) && typeof value.id === 'string';
}
