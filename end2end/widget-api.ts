/** The nine calls of the widget API: recorded requests and scripted responses. */
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

export type RecordedRequest = {
  call: CallName;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The raw body; empty for none. */
  text: string;
  /** The body as JSON; undefined for none. */
  body: unknown;
};

/** A scripted response. `drop` closes the connection without a response, `cut` in the middle of one. */
export type ScriptedResponse =
  | { status?: number; json: unknown; headers?: Record<string, string> }
  | { status?: number; text: string; type: string }
  | 'drop'
  | 'cut';
