import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { ConnectStart } from '../generated/types';
import { common, connect as words } from '../messages';
import { Button } from '../ui/Button';
import { Slow } from '../ui/Loading';
import { usePage } from '../use-page';
import { openPluggy, type PluggyEvent } from './pluggy';

type Props = {
  start: ConnectStart;
  ready: boolean;
  /** The firm that asks for an update: shown with its reason beside the window where there is room. */
  updateFor: string | undefined;
  emit: (event: PluggyEvent) => void;
};

/**
 * Pluggy's window, and what its modal lacks: dialog role, name, focus, a close button, and a page behind it that cannot be
 * reached.
 */
export function ConnectDialog({ start, ready, updateFor, emit }: Props): ReactNode {
  const page = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const toasts = useRef<HTMLElement>(null);
  // Another owner of the account has to approve. On a phone the notice covers the bank's window, so it can be dismissed.
  const [notice, setNotice] = useState<'shown' | 'read'>();
  const close = () => emit({ type: 'closed' });

  // Before the first paint, and undone while the dialog is still in the document: closing gives the focus back.
  useLayoutEffect(() => {
    const [element, container, region] = [dialog.current, frame.current, toasts.current];
    if (element === null || container === null || region === null) return;
    element.showModal();
    element.focus({ preventScroll: true });
    const showToastsOutside = page.showToastsIn(region);
    const closeWindow = openPluggy(container, start, (event) => {
      if (event.type === 'error' && event.pending) setNotice((before) => before ?? 'shown');
      emit(event);
    });
    return () => {
      closeWindow();
      showToastsOutside();
      element.close();
    };
  }, [page, start, emit]);

  return (
    <dialog
      ref={dialog}
      className="connect__dialog"
      aria-label={words.dialog}
      aria-busy={!ready}
      data-open={ready || undefined}
      tabIndex={-1}
      onCancel={(event) => {
        // Escape, or Back on a phone. It closes when the widget does.
        event.preventDefault();
        close();
      }}
    >
      <p className="visually-hidden" role="status">
        {ready && words.opened}
      </p>
      <div className="visually-hidden">
        <Slow busy={!ready} />
      </div>
      <div className="connect__frame" ref={frame} />
      {updateFor !== undefined && <UpdateReason firm={updateFor} isHeading={false} />}
      <div className="connect__notice" role="status">
        {notice === 'shown' && (
          <div className="notice">
            <div>
              <p>
                <strong>{words.pending}</strong>
              </p>
              <p>{words.pendingText}</p>
            </div>
            <div className="actions">
              <Button kind="secondary" onClick={close}>
                {words.accounts}
              </Button>
              <Button kind="quiet" onClick={() => setNotice('read')}>
                {words.pendingRead}
              </Button>
            </div>
          </div>
        )}
      </div>
      {/* After the frame: the SDK's overlay has the maximum z-index, and of equal ones the later element is on top. */}
      <button type="button" className="connect__close button button--secondary" onClick={close}>
        {words.close}
      </button>
      {/* Everything outside a modal dialog is inert, and an inert live region is neither heard nor pressed. */}
      <section ref={toasts} className="toasts" aria-live="assertive" aria-label={common.notices} />
    </dialog>
  );
}

/** Who asks for an update, and why. `isHeading`: its title is the page's heading. */
export function UpdateReason({ firm, isHeading }: { firm: string; isHeading: boolean }): ReactNode {
  const Title = isHeading ? 'h1' : 'p';
  return (
    <div className="connect__reason">
      <Title className="step__title" tabIndex={isHeading ? -1 : undefined}>
        {words.updateTitle(firm)}
      </Title>
      <p>{words.updateReason(firm)}</p>
    </div>
  );
}
