/** The nine calls of the widget API, as a request that came and as an answer that goes. */
import type { IncomingHttpHeaders } from 'node:http';

export const CALLS = [
  'validate-token',
  'authorize-customer',
  'list-accounts',
  'cancel-integrations',
  'list-banks',
  'success',
  'connect-token',
  'log',
  'update-link-account',
] as const;

export type CallName = (typeof CALLS)[number];

export type Recorded = {
  call: CallName;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as it came; empty for none. */
  text: string;
  /** The body as JSON; undefined for none. */
  body: unknown;
};

/**
 * What a call is answered with. `drop`: taken, then hung up without a word; `cut`: hung up in the middle; `flood`: 200 MB
 * without an end in sight.
 */
export type Answer =
  | { status?: number; json: unknown; headers?: Record<string, string> }
  | { status?: number; text: string; type: string }
  | 'drop'
  | 'cut'
  | 'flood';
