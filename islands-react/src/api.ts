/** The actions of our server. The only place that knows `fetch`. Nothing here throws. */
import type { Banks } from './generated/Banks';
import type { ConnectStart } from './generated/ConnectStart';
import type { Done } from './generated/Done';
import type { FinishConnect } from './generated/FinishConnect';
import type { FromPage } from './generated/FromPage';
import type { Next } from './generated/Next';
import type { Reaction } from './generated/Reaction';
import type { ReportConnectError } from './generated/ReportConnectError';
import type { ReportIsland } from './generated/ReportIsland';
import type { SaveBankForm } from './generated/SaveBankForm';
import { TOKEN_INVALID } from './navigate';
import { type Guard, isBanks, isConnectStart, isDone, isNext, isReaction } from './wire';

export type Outcome<T> = { ok: true; data: T } | { ok: false; failure: Reaction };

declare global {
  interface Window {
    /** Aborted once another session has taken this one's place: see `crates/pages/src/other_tab.js`. */
    vinculaStopped?: AbortSignal;
  }
}

type Action<Input, Output> = (input: Input) => Promise<Outcome<Output>>;

export const acceptConsent: Action<FromPage, Next> = (input) => post('accept_consent', input, isNext);

export const listBanks: Action<FromPage, Banks> = (input) => post('list_banks', input, isBanks);

export const saveBankForm: Action<SaveBankForm, Next> = (input) => post('save_bank_form', input, isNext);

export const openConnect: Action<FromPage, ConnectStart> = (input) => post('open_connect', input, isConnectStart);

/** Survives the page: a success that arrives while the person is leaving is still told to the server. */
export const finishConnect: Action<FinishConnect, Next> = (input) => post('finish_connect', input, isNext, true);

export const reportConnectError: Action<ReportConnectError, Done> = (input) =>
  post('report_connect_error', input, isDone, true);

export const reportIsland: Action<ReportIsland, Done> = (input) => post('report_island', input, isDone, true);

async function post<T>(action: string, input: object, isOutput: Guard<T>, keepalive = false): Promise<Outcome<T>> {
  const stopped = window.vinculaStopped ?? null;
  let ok: boolean;
  let text: string;
  try {
    const response = await fetch(`/api/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      credentials: 'same-origin',
      cache: 'no-store',
      body: JSON.stringify({ input }),
      keepalive,
      signal: stopped,
    });
    ok = response.ok;
    text = await response.text();
  } catch {
    return failed({ kind: stopped?.aborted ? 'other_tab' : 'no_reply' });
  }
  const body = parse(text);
  if (ok) return isOutput(body) ? { ok: true, data: body } : failed({ kind: 'navigate', to: TOKEN_INVALID });
  // Our server's failures are JSON. All else comes from between it and us (a proxy whose server is just restarting):
  // nobody has answered.
  if (body === undefined) return failed({ kind: 'no_reply' });
  return failed(isReaction(body) ? body : { kind: 'navigate', to: TOKEN_INVALID });
}

function failed(failure: Reaction): { ok: false; failure: Reaction } {
  return { ok: false, failure };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
