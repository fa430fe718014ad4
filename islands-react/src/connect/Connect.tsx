import { type ReactNode, useEffect, useReducer, useRef } from 'react';
import { ACCOUNTS } from '../generated/routes';
import type { ConnectStart, Reaction } from '../generated/types';
import { common, connect as words } from '../messages';
import { finishConnect, keepItem } from '../page/kept';
import { Button } from '../ui/Button';
import { Loading, useStays } from '../ui/Loading';
import { PROGRESS_ID, Progress } from '../ui/Progress';
import { ConnectDialog, UpdateReason } from './ConnectDialog';
import { openPluggy, type PluggyEvent } from './pluggy';
import { FIRST, reduce, type State } from './state';

/** Longer messages of Connect are cut before they are reported. */
const MESSAGE_MAX_CHARS = 500;

/** Most steps that are reported of one window: a longer try says nothing more about the funnel. */
const MAX_STEPS = 30;

type Props = {
  session: string;
  firm: string;
  /** The chosen bank's name, or empty. */
  bank: string;
  /** The firm asks to renew a connection: no step of a new one. */
  isUpdate: boolean;
};

export function Connect({ session, firm, bank, isUpdate }: Props): ReactNode {
  const [state, dispatch] = useReducer(reduce, FIRST);
  const frame = useRef<HTMLDivElement>(null);
  const { status } = state;
  const start = state.status === 'widget' ? state.start : undefined;
  const itemId = state.status === 'finishing' ? state.itemId : undefined;

  // Each effect below depends only on the values it acts on; the props of the first render stay valid.
  // biome-ignore-start lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (status !== 'requestingToken') return;
    // Linked in an earlier visit: the bank is not opened again. Not the first state, since it is not prerendered.
    const undelivered = window.vincula.undelivered(session);
    if (undelivered !== null) return dispatch({ type: 'succeeded', itemId: undelivered.itemId });
    let current = true;
    void window.vincula.post('open_connect', { session }).then((answer) => {
      if (!current) return;
      if (answer.ok) dispatch({ type: 'started', start: answer.data });
      else fail(answer.failure);
    });
    return () => {
      current = false;
    };
  }, [status]);

  useEffect(() => {
    if (start === undefined || frame.current === null) return;
    let current = true;
    let steps = 0;
    const close = openPluggy(frame.current, start, (event) => {
      if (event.type === 'step') steps += 1;
      if (steps <= MAX_STEPS) report(event, start);
      // Of a window that was left only a success counts.
      if (current || event.type === 'succeeded') dispatch(event);
    });
    return () => {
      current = false;
      close();
    };
  }, [start]);

  useEffect(() => {
    if (itemId === undefined) return;
    void finishConnect(session, itemId).then((answer) => {
      if (!answer.ok) return fail(answer.failure);
      window.vincula.replace(answer.data.to);
      dispatch({ type: 'done', stays: false });
    });
  }, [itemId]);

  useEffect(() => {
    if (status === 'closed') window.vincula.replace(ACCOUNTS);
  }, [status]);

  // The notice with the way on takes the place of the spinner.
  useStays(() => dispatch({ type: 'stays' }));
  // biome-ignore-end lint/correctness/useExhaustiveDependencies: see above

  function fail(failure: Reaction): void {
    const stays = window.vincula.handleFailure(failure);
    dispatch(failure.kind === 'no_reply' ? { type: 'unanswered' } : { type: 'done', stays });
  }

  /** Keeps a success until the server has it, and reports errors and steps. The requests outlive the page. */
  function report(event: PluggyEvent, { connectToken }: ConnectStart): void {
    if (event.type === 'succeeded') {
      keepItem(session, { itemId: event.itemId, bank, at: Date.now() });
    } else if (event.type === 'error') {
      const { itemId, pending } = event;
      const message = event.message.replaceAll(connectToken, '…').slice(0, MESSAGE_MAX_CHARS);
      void window.vincula.post('report_connect_error', { session, message, itemId, pending }, true);
    } else if (event.type === 'step') {
      const { step, connector } = event;
      void window.vincula.post('report_connect_step', { session, step, connector }, true);
    }
  }

  return (
    <section className="connect">
      <div className="step connect__card">
        <p className="connect__firm">{firm}</p>
        {isUpdate ? (
          <UpdateReason firm={firm} isHeading />
        ) : (
          <div>
            <Progress at="connect" />
            <h1 className="step__title visually-hidden" tabIndex={-1} aria-describedby={PROGRESS_ID}>
              {words.dialog}
            </h1>
          </div>
        )}
        <Status state={state} bank={bank} retry={() => dispatch({ type: 'retry' })} />
      </div>
      {state.status === 'widget' && (
        <ConnectDialog
          frameRef={frame}
          ready={state.ready}
          pending={state.pending}
          updateFor={isUpdate ? firm : undefined}
          close={() => dispatch({ type: 'closed' })}
        />
      )}
    </section>
  );
}

/** The content under or instead of the widget. */
function Status({ state, bank, retry }: { state: State; bank: string; retry: () => void }): ReactNode {
  switch (state.status) {
    case 'requestingToken':
    case 'widget':
      // Nothing of this is seen or heard under the open window.
      if (state.status === 'widget' && state.ready) return null;
      return (
        <Loading title={words.opening(bank)}>
          <p>{words.openingText}</p>
          <a className="link-quiet" href={ACCOUNTS}>
            {words.back}
          </a>
        </Loading>
      );
    case 'finishing':
      return <Loading title={words.finishing} />;
    case 'closed':
    case 'done':
      return state.stays ? null : <Loading title={state.status === 'closed' ? words.leaving : words.finishing} />;
    case 'failed':
      return <Retry title={words.failedTitle} text={words.failedText} retry={retry} />;
    case 'confirmFailed':
      return <Retry title={words.confirmFailedTitle} text={words.confirmFailedText} retry={retry} />;
  }
}

function Retry({ title, text, retry }: { title: string; text: string; retry: () => void }): ReactNode {
  return (
    <div className="connect__problem" role="alert">
      <h2 className="step__title">{title}</h2>
      <p>{text}</p>
      <div className="actions">
        <Button kind="primary" onClick={retry}>
          {common.tryAgain}
        </Button>
        <a className="button button--quiet" href={ACCOUNTS}>
          {words.accounts}
        </a>
      </div>
    </div>
  );
}
