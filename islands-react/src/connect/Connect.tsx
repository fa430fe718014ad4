import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { ACCOUNTS } from '../generated/routes';
import type { Context } from '../generated/types';
import { common, connect as words } from '../messages';
import { Button } from '../ui/Button';
import { Loading, useStays } from '../ui/Loading';
import { PROGRESS_ID, Progress } from '../ui/Progress';
import { usePage } from '../use-page';
import { ConnectDialog, UpdateReason } from './ConnectDialog';
import { FIRST, type State } from './state';
import { createVisit } from './visit';

type Props = Pick<Context, 'session' | 'customerName' | 'bank' | 'widgetType'>;

export function Connect({ session, customerName: firm, bank, widgetType }: Props): ReactNode {
  const page = usePage();
  const [visit] = useState(() => createVisit(page, session, bank));
  const state = useSyncExternalStore(visit.subscribe, visit.state, atFirst);
  const isUpdate = widgetType === 'update';

  useEffect(() => visit.begin(), [visit]);

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
        <Status state={state} bank={bank} retry={visit.retry} />
      </div>
      {state.status === 'widget' && (
        <ConnectDialog
          start={state.start}
          ready={state.ready}
          updateFor={isUpdate ? firm : undefined}
          emit={visit.follow}
        />
      )}
    </section>
  );
}

/** As it is prerendered. */
function atFirst(): State {
  return FIRST;
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
      return <Leaving key="accounts" title={words.toAccounts} />;
    case 'leaving':
      return <Leaving key="leaving" title={words.leaving} />;
    case 'finishing':
    case 'done':
      return <Leaving key="finishing" title={words.finishing} />;
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
