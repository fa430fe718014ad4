/**
 * The state machine of a visit to Connect. Pure: the component performs the effects of each status.
 *
 * A success counts whenever it comes, even if the user has closed the widget or opened another one: the bank account is
 * linked then.
 */
import type { ConnectStart } from '../generated/types';
import type { PluggyEvent } from './pluggy';

export type State =
  | { status: 'requestingToken' }
  /** The widget is opening (`ready: false`) or in use. `pending`: another person has to approve. */
  | { status: 'widget'; start: ConnectStart; ready: boolean; pending: boolean }
  | { status: 'finishing' | 'confirmFailed'; itemId: string }
  | { status: 'failed' }
  /**
   * `closed`: without a success, so the page goes to the accounts. `done`: it goes where the server leads, or another tab
   * has replaced the session. `stays`: it was left and is still there.
   */
  | { status: 'closed' | 'done'; stays: boolean };

export type ConnectEvent =
  | PluggyEvent
  | { type: 'started'; start: ConnectStart }
  | { type: 'unanswered' }
  | { type: 'retry' }
  | { type: 'done'; stays: boolean }
  | { type: 'stays' };

export const FIRST: State = { status: 'requestingToken' };

/** An event that means nothing in a state leaves it as it is. */
export function reduce(state: State, event: ConnectEvent): State {
  if (event.type === 'done') return { status: 'done', stays: event.stays };
  if (event.type === 'succeeded') {
    const isCounted = ['finishing', 'confirmFailed', 'done'].includes(state.status);
    return isCounted ? state : { status: 'finishing', itemId: event.itemId };
  }
  switch (state.status) {
    case 'requestingToken':
      if (event.type === 'started') return { status: 'widget', start: event.start, ready: false, pending: false };
      return event.type === 'unanswered' ? { status: 'failed' } : state;
    case 'widget':
      if (event.type === 'opened') return { ...state, ready: true };
      if (event.type === 'error') return event.pending ? { ...state, pending: true } : state;
      if (event.type === 'failed') return { status: 'failed' };
      return event.type === 'closed' ? { status: 'closed', stays: false } : state;
    case 'finishing':
      return event.type === 'unanswered' ? { ...state, status: 'confirmFailed' } : state;
    case 'confirmFailed':
      return event.type === 'retry' ? { ...state, status: 'finishing' } : state;
    case 'failed':
      return event.type === 'retry' ? FIRST : state;
    case 'closed':
    case 'done':
      return event.type === 'stays' ? { ...state, stays: true } : state;
  }
}
