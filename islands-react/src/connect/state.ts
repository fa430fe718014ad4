/**
 * Where a visit to Connect stands. Pure: the component carries out what a status asks for.
 *
 * An attempt is one connect token with one widget. Late news of an earlier attempt counts only if it is a success:
 * the bank account is connected then, whatever the person did in the meantime.
 */
import type { ConnectStart } from '../generated/ConnectStart';

export type State = { attempt: number } & (
  | { status: 'asking' }
  /** The widget is being opened (`ready: false`) or in use. */
  | { status: 'widget'; start: ConnectStart; ready: boolean; pending: boolean }
  | { status: 'finishing'; itemId: string }
  | { status: 'unconfirmed'; itemId: string }
  | { status: 'failed' }
  /** Closed without a success: on the way to the accounts. */
  | { status: 'closed' }
  /** The server has said where to go, or that another tab took over. Nothing more to do here. */
  | { status: 'done'; stays: boolean }
);

export type ConnectEvent =
  | { type: 'started'; attempt: number; start: ConnectStart }
  | { type: 'ready'; attempt: number }
  | { type: 'pending'; attempt: number }
  | { type: 'failed'; attempt: number }
  | { type: 'closed'; attempt: number }
  | { type: 'succeeded'; itemId: string }
  | { type: 'unconfirmed' }
  | { type: 'done'; stays: boolean }
  | { type: 'retry' };

export const FIRST: State = { status: 'asking', attempt: 1 };

export function reduce(state: State, event: ConnectEvent): State {
  const { attempt } = state;
  switch (event.type) {
    case 'succeeded':
      return hasSucceeded(state) ? state : { status: 'finishing', attempt, itemId: event.itemId };
    case 'unconfirmed':
      return state.status === 'finishing' ? { ...state, status: 'unconfirmed' } : state;
    case 'done':
      return { status: 'done', attempt, stays: event.stays };
    case 'retry':
      if (state.status === 'unconfirmed') return { ...state, status: 'finishing' };
      return state.status === 'failed' ? { status: 'asking', attempt: attempt + 1 } : state;
    default:
      return event.attempt === attempt ? reduceAttempt(state, event) : state;
  }
}

type AttemptEvent = Extract<ConnectEvent, { attempt: number }>;

function reduceAttempt(state: State, event: AttemptEvent): State {
  const { attempt } = state;
  if (event.type === 'started') {
    if (state.status !== 'asking') return state;
    return { status: 'widget', attempt, start: event.start, ready: false, pending: false };
  }
  if (event.type === 'failed' && state.status === 'asking') return { status: 'failed', attempt };
  if (state.status !== 'widget') return state;
  switch (event.type) {
    case 'ready':
      return { ...state, ready: true };
    case 'pending':
      return { ...state, pending: true };
    case 'failed':
      return { status: 'failed', attempt };
    case 'closed':
      return { status: 'closed', attempt };
  }
}

/** `done` from a failed opening is no success, but the page is then being left: a success has nowhere to go. */
function hasSucceeded({ status }: State): boolean {
  return status === 'finishing' || status === 'unconfirmed' || status === 'done';
}
