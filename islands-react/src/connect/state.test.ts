import { expect, test } from 'vitest';
import { START } from '../testing/page';
import { type ConnectEvent, FIRST, reduce, type State } from './state';

const started: ConnectEvent = { type: 'started', start: START };
const failed: ConnectEvent = { type: 'failed', message: 'x', itemId: null, pending: false };
const pending: ConnectEvent = { type: 'error', message: 'x', itemId: null, pending: true };
const [opened, closed] = [{ type: 'opened' }, { type: 'closed' }] as const;
const [unanswered, retry, done] = [{ type: 'unanswered' }, { type: 'retry' }, { type: 'done' }] as const;
const succeeded: ConnectEvent = { type: 'succeeded', itemId: 'item-1' };
const again: ConnectEvent = { type: 'succeeded', itemId: 'item-2' };
const finishing: State = { status: 'finishing', itemId: 'item-1' };
const widget: State = { status: 'widget', start: START, ready: false };

test.each<[string, ConnectEvent[], State]>([
  ['a token starts the widget', [started], widget],
  ['the widget opens', [started, opened], { ...widget, ready: true }],
  ['an error, also of a waiting approval, leaves it open', [started, pending], widget],
  ['no token is a failure', [unanswered], { status: 'failed' }],
  ['a widget that does not open is a failure', [started, failed], { status: 'failed' }],
  ['another try requests another token', [started, failed, retry], FIRST],
  ['closing without a success leads away', [started, closed, closed], { status: 'closed' }],
  ['a success is finished', [started, succeeded], finishing],
  ['closing after it does not lead away', [started, succeeded, closed], finishing],
  ['a success after closing is not lost', [started, closed, succeeded], finishing],
  ['nor is one after failing', [started, failed, succeeded], finishing],
  ['nor one after another try', [started, failed, retry, succeeded], finishing],
  ['only the first one counts', [started, succeeded, again], finishing],
  ['also if it is not confirmed', [started, succeeded, unanswered, again], { ...finishing, status: 'confirmFailed' }],
  ['or done', [started, succeeded, done, again], { status: 'done' }],
  ['another try confirms the same item', [started, succeeded, unanswered, retry], finishing],
  ['there is no other try while something is under way', [started, retry, succeeded, retry], finishing],
])('%s', (_what, events, state) => {
  expect(events.reduce(reduce, FIRST)).toEqual(state);
});
