import { type ReactNode, useEffect, useReducer, useRef } from 'react';
import type { Outcome } from '../api';
import { ACCOUNTS } from '../generated/routes';
import type { ConnectStart, Next } from '../generated/types';
import { common, connect as words } from '../messages';
import { Button } from '../ui/Button';
import { Loading } from '../ui/Loading';
import { useStays } from '../ui/use-stays';
import { ConnectDialog } from './ConnectDialog';
import type { OpenPluggy, PluggyEvent, Widget } from './pluggy';
import { FIRST, reduce, type State } from './state';
import type { Stepped } from './steps';
import { UpdateReason } from './UpdateReason';

/** Longer messages of Connect are cut before they are reported. */
const MESSAGE_MAX_CHARS = 500;

/** Most steps of Connect that a visit reports: a person who tries for long tells nothing more. */
const MAX_STEPS = 30;

type Props = {
  /** The firm that asks for an update; undefined for a new connection. */
  updateFor?: string | undefined;
  /** The item of an earlier visit that the server does not have yet: the bank is not opened a second time. */
  undelivered?: string | undefined;
  openConnect: () => Promise<Outcome<ConnectStart>>;
  finishConnect: (itemId: string) => Promise<Outcome<Next>>;
  /** Keeps an item beyond a reload, until the server has it. */
  keepItem: (itemId: string) => void;
  /** `pending`: another person has to approve the account at the bank. */
  reportError: (message: string, itemId: string | null, pending: boolean) => void;
  /** Counts a step inside Connect. Nothing waits for it. */
  reportStep: (stepped: Stepped) => void;
  openPluggy: OpenPluggy;
  replace: (to: string) => void;
};

/** The embedded bank connection (spec §2 and §4; design D14). */
export function Connect(props: Props): ReactNode {
  const { updateFor, undelivered, openConnect, finishConnect, keepItem, reportError, reportStep, openPluggy, replace } =
    props;
  const [state, dispatch] = useReducer(reduce, FIRST);
  const frame = useRef<HTMLDivElement>(null);
  const widget = useRef<Widget | undefined>(undefined);
  const steps = useRef(0);
  const { status, attempt } = state;
  const start = state.status === 'widget' ? state.start : undefined;
  const itemId = state.status === 'finishing' ? state.itemId : undefined;

  // Each effect below depends only on the values it acts on; the callbacks of the first render stay valid.
  // biome-ignore-start lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (status !== 'requestingToken') return;
    // Not the first state: the prerendered screen does not know it.
    if (undelivered !== undefined && attempt === 1) return dispatch({ type: 'succeeded', itemId: undelivered });
    let current = true;
    void openConnect().then((outcome) => {
      if (!current) return;
      if (outcome.ok) return dispatch({ type: 'started', attempt, start: outcome.data });
      const stays = window.vincula.handleFailure(outcome.failure);
      if (outcome.failure.kind === 'no_reply') dispatch({ type: 'failed', attempt });
      else dispatch({ type: 'done', stays });
    });
    return () => {
      current = false;
    };
  }, [status, attempt]);

  useEffect(() => {
    if (start === undefined || frame.current === null) return;
    const opened = openPluggy(frame.current, start, (event) => handle(event, attempt));
    widget.current = opened;
    return () => opened.close();
  }, [start, attempt]);

  useEffect(() => {
    if (itemId === undefined) return;
    void finishConnect(itemId).then((outcome) => {
      if (outcome.ok) {
        replace(outcome.data.to);
        return dispatch({ type: 'done', stays: false });
      }
      const stays = window.vincula.handleFailure(outcome.failure);
      if (outcome.failure.kind === 'no_reply') dispatch({ type: 'confirmFailed' });
      else dispatch({ type: 'done', stays });
    });
  }, [itemId]);

  useEffect(() => {
    if (status === 'closed') replace(ACCOUNTS);
  }, [status]);

  // The notice with the way on takes the place of the spinner.
  useStays(() => dispatch({ type: 'stays' }));
  // biome-ignore-end lint/correctness/useExhaustiveDependencies: see above

  /** Removes the connect token from a message, and cuts it to `MESSAGE_MAX_CHARS`. */
  function withoutToken(message: string): string {
    const redacted = start === undefined ? message : message.replaceAll(start.connectToken, '…');
    return redacted.slice(0, MESSAGE_MAX_CHARS);
  }

  function handle(event: PluggyEvent, from: number): void {
    switch (event.type) {
      case 'opened':
        dispatch({ type: 'ready', attempt: from });
        break;
      case 'succeeded':
        keepItem(event.itemId);
        dispatch({ type: 'succeeded', itemId: event.itemId });
        break;
      case 'error':
        reportError(withoutToken(event.message), event.itemId, event.pending);
        if (event.pending) dispatch({ type: 'pending', attempt: from });
        break;
      case 'step':
        steps.current += 1;
        if (steps.current <= MAX_STEPS) reportStep({ step: event.step, connector: event.connector });
        break;
      case 'closed':
        dispatch({ type: 'closed', attempt: from });
        break;
      case 'failed':
        reportError(withoutToken(event.reason), null, false);
        dispatch({ type: 'failed', attempt: from });
        break;
    }
  }

  return (
    <section className="connect" data-prerendered="">
      <div className="connect__status">
        {updateFor === undefined ? (
          <h1 className="step__title visually-hidden" tabIndex={-1}>
            {words.dialog}
          </h1>
        ) : (
          <UpdateReason firm={updateFor} isHeading />
        )}
        <Status state={state} retry={() => dispatch({ type: 'retry' })} />
      </div>
      {state.status === 'widget' && (
        <ConnectDialog
          frameRef={frame}
          ready={state.ready}
          pending={state.pending}
          updateFor={updateFor}
          close={() => {
            widget.current?.close();
            dispatch({ type: 'closed', attempt });
          }}
        />
      )}
    </section>
  );
}

/** The content under or instead of the widget. */
function Status({ state, retry }: { state: State; retry: () => void }): ReactNode {
  switch (state.status) {
    case 'requestingToken':
    case 'widget':
      // Nothing of this is seen or heard under the open window.
      if (state.status === 'widget' && state.ready) return null;
      return (
        <Loading title={words.opening}>
          <p>{words.openingText}</p>
          <a className="link-quiet" href={ACCOUNTS}>
            {words.back}
          </a>
        </Loading>
      );
    case 'finishing':
      return <Loading title={words.finishing} />;
    case 'closed':
      return state.stays ? null : <Loading title={words.leaving} />;
    case 'done':
      return state.stays ? null : <Loading title={words.finishing} />;
    case 'failed':
      return <Retry title={words.failedTitle} text={words.failedText} retry={retry} />;
    case 'confirmFailed':
      return <Retry title={words.confirmFailedTitle} text={words.confirmFailedText} retry={retry} />;
  }
}

function Retry({ title, text, retry }: { title: string; text: string; retry: () => void }): ReactNode {
  return (
    <div className="card" role="alert">
      <h2 className="card__title">{title}</h2>
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
