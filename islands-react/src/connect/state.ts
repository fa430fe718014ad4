/**
 * The state machine of a visit to Connect. Pure: the component performs the effects of each status.
 *
 * An attempt is one connect token with one widget. The only late event of an earlier attempt that counts is a success:
 * the bank account is connected then, even if the user has closed the widget or started another attempt.
 */
import type { ConnectStart } from '../generated/types';

export type State = { attempt: number } & (
  | { status: 'requestingToken' }
  /** The widget is opening (`ready: false`) or in use. */
  | { status: 'widget'; start: ConnectStart; ready: boolean; pending: boolean }
  | { status: 'finishing'; itemId: string }
  | { status: 'confirmFailed'; itemId: string }
  | { status: 'failed' }
  /** Closed without a success: the page goes to the accounts. */
  | { status: 'closed'; stays: boolean }
  /** The page goes to the server's redirect, or another tab has replaced the session. Nothing more to do here. */
  | { status: 'done'; stays: boolean }
);

export type ConnectEvent =
  | { type: 'started'; attempt: number; start: ConnectStart }
  | { type: 'ready'; attempt: number }
  | { type: 'pending'; attempt: number }
  | { type: 'failed'; attempt: number }
  | { type: 'closed'; attempt: number }
  | { type: 'succeeded'; itemId: string }
  | { type: 'confirmFailed' }
  | { type: 'done'; stays: boolean }
  /** The page was left and is still there. */
  | { type: 'stays' }
  | { type: 'retry' };

export const FIRST: State = { status: 'requestingToken', attempt: 1 };

export function reduce(state: State, event: ConnectEvent): State {
  const { attempt } = state;
  switch (event.type) {
    case 'succeeded':
      return hasSucceeded(state) ? state : { status: 'finishing', attempt, itemId: event.itemId };
    case 'confirmFailed':
      return state.status === 'finishing' ? { ...state, status: 'confirmFailed' } : state;
    case 'done':
      return { status: 'done', attempt, stays: event.stays };
    case 'stays':
      return state.status === 'closed' || state.status === 'done' ? { ...state, stays: true } : state;
    case 'retry':
      if (state.status === 'confirmFailed') return { ...state, status: 'finishing' };
      return state.status === 'failed' ? { status: 'requestingToken', attempt: attempt + 1 } : state;
    default:
      return event.attempt === attempt ? reduceAttempt(state, event) : state;
  }
}

type AttemptEvent = Extract<ConnectEvent, { attempt: number }>;

function reduceAttempt(state: State, event: AttemptEvent): State {
  const { attempt } = state;
  if (event.type === 'started') {
    if (state.status !== 'requestingToken') return state;
    return { status: 'widget', attempt, start: event.start, ready: false, pending: false };
  }
  if (event.type === 'failed' && state.status === 'requestingToken') return { status: 'failed', attempt };
  if (state.status !== 'widget') return state;
  switch (event.type) {
    case 'ready':
      return { ...state, ready: true };
    case 'pending':
      return { ...state, pending: true };
    case 'failed':
      return { status: 'failed', attempt };
    case 'closed':
      return { status: 'closed', attempt, stays: false };
  }
}

/** `done` also ignores a success: the page is leaving, or its session is replaced. */
function hasSucceeded({ status }: State): boolean {
  return status === 'finishing' || status === 'confirmFailed' || status === 'done';
}
