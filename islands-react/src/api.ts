/** The actions of our server, typed: each answer is checked before an island sees it. Nothing here rejects. */

import { TOKEN_INVALID } from './generated/routes';
import type {
  AcceptConsent,
  Action,
  Banks,
  ConnectStart,
  Done,
  FinishConnect,
  FromPage,
  Next,
  Reaction,
  ReportConnectError,
  ReportConnectStep,
  SaveBankForm,
} from './generated/types';
import { type Guard, isBanks, isConnectStart, isDone, isNext } from './wire';

export type Outcome<T> = { ok: true; data: T } | { ok: false; failure: Reaction };

type Act<Input, Output> = (input: Input) => Promise<Outcome<Output>>;

export const acceptConsent: Act<AcceptConsent, Next> = (input) => act('accept_consent', input, isNext);

export const listBanks: Act<FromPage, Banks> = (input) => act('list_banks', input, isBanks);

export const saveBankForm: Act<SaveBankForm, Next> = (input) => act('save_bank_form', input, isNext);

export const openConnect: Act<FromPage, ConnectStart> = (input) => act('open_connect', input, isConnectStart);

/** Outlives the page: a success that arrives while the person leaves still reaches the server. */
export const finishConnect: Act<FinishConnect, Next> = (input) => act('finish_connect', input, isNext, true);

export const reportConnectError: Act<ReportConnectError, Done> = (input) =>
  act('report_connect_error', input, isDone, true);

/** For the funnel only: nobody needs the answer. */
export const reportConnectStep: Act<ReportConnectStep, Done> = (input) =>
  act('report_connect_step', input, isDone, true);

async function act<T>(action: Action, input: object, isOutput: Guard<T>, keepalive = false): Promise<Outcome<T>> {
  const answer = await window.vincula.post(action, input, keepalive);
  if (!answer.ok || isOutput(answer.data)) return answer as Outcome<T>;
  return { ok: false, failure: { kind: 'navigate', to: TOKEN_INVALID } };
}
