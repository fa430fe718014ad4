import { type ReactNode, useEffect, useReducer, useState } from 'react';
import { ACCOUNTS } from '../generated/routes';
import type { Context, Reaction } from '../generated/types';
import { common, connect as words } from '../messages';
import { Button } from '../ui/Button';
import { Loading, useStays } from '../ui/Loading';
import { PROGRESS_ID, Progress } from '../ui/Progress';
import { usePage } from '../use-page';
import { ConnectDialog, UpdateReason } from './ConnectDialog';
import { isSdkLost, type PluggyEvent } from './pluggy';
import { FIRST, reduce, type State } from './state';

type Props = Pick<Context, 'session' | 'customerName' | 'bank' | 'widgetType'>;

export function Connect({ session, customerName: firm, bank, widgetType }: Props): ReactNode {
  const page = usePage();
  const [state, dispatch] = useReducer(reduce, FIRST);
  const isUpdate = widgetType === 'update';

  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect of each status, once it is reached
  useEffect(() => {
    if (state.status === 'requestingToken') void requestToken();
    else if (state.status === 'finishing') void finish(state.itemId);
    else if (state.status === 'closed') page.replace(ACCOUNTS);
  }, [state.status]);

  async function requestToken(): Promise<void> {
    // Linked in an earlier visit: the bank is not opened again. Not the first state, since it is not prerendered.
    const undelivered = page.undelivered(session);
    if (undelivered !== null) return dispatch({ type: 'succeeded', itemId: undelivered.itemId });
    const answer = await page.post('open_connect', { session });
    if (answer.ok) dispatch({ type: 'started', start: answer.data });
    else fail(answer.failure);
  }

  async function finish(itemId: string): Promise<void> {
    const answer = await page.finishConnect(session, itemId);
    if (!answer.ok) return fail(answer.failure);
    page.replace(answer.data.to);
    dispatch({ type: 'done' });
  }

  function fail(failure: Reaction): void {
    const stays = page.handleFailure(failure);
    if (failure.kind === 'no_reply') dispatch({ type: 'unanswered' });
    else dispatch({ type: stays ? 'stopped' : 'refused' });
  }

  /** Keeps a success until the server has it, and reports errors and steps. The requests outlive the page. */
  function follow(event: PluggyEvent): void {
    if (event.type === 'succeeded') {
      page.keepItem(session, { itemId: event.itemId, bank, at: Date.now() });
    } else if (event.type === 'error' || event.type === 'failed') {
      const { message, itemId, pending } = event;
      void page.post('report_connect_error', { session, message, itemId, pending }, true);
    } else if (event.type === 'step') {
      const { step, connector } = event;
      void page.post('report_connect_step', { session, step, connector }, true);
    }
    dispatch(event);
  }

  /** Reloads before a connect token is requested that only the reloaded page could use. */
  function retry(): void {
    if (isSdkLost()) location.reload();
    else dispatch({ type: 'retry' });
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
        <Status state={state} bank={bank} retry={retry} />
      </div>
      {state.status === 'widget' && (
        <ConnectDialog start={state.start} ready={state.ready} updateFor={isUpdate ? firm : undefined} emit={follow} />
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
          {state.status === 'requestingToken' ? (
            <a className="link-quiet" href={ACCOUNTS}>
              {words.back}
            </a>
          ) : (
            // Out of reach under the modal dialog, which has its own button. Its place stays.
            <span className="link-quiet" aria-hidden="true" />
          )}
        </Loading>
      );
    case 'closed':
      return <Leaving title={words.toAccounts} />;
    case 'leaving':
      return <Leaving title={words.leaving} />;
    case 'finishing':
    case 'done':
      return <Leaving title={words.finishing} />;
    case 'stopped':
      return null;
    case 'failed':
      return <Retry title={words.failedTitle} text={words.failedText} retry={retry} />;
    case 'confirmFailed':
      return <Retry title={words.confirmFailedTitle} text={words.confirmFailedText} retry={retry} />;
  }
}

/** If the page was left and is still there, the notice with the way on takes the place of the spinner. */
function Leaving({ title }: { title: string }): ReactNode {
  const [stays, setStays] = useState(false);
  useStays(() => setStays(true));
  return !stays && <Loading title={title} />;
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
