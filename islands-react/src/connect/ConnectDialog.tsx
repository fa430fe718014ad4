import { type ReactNode, type Ref, useLayoutEffect, useRef, useState } from 'react';
import { connect as words } from '../messages';
import { Button } from '../ui/Button';
import { Slow } from '../ui/Loading';

type Props = {
  frameRef: Ref<HTMLDivElement>;
  ready: boolean;
  /** Another owner of the account has to approve. */
  pending: boolean;
  /** The firm that asks for an update: shown with its reason beside the window where there is room. */
  updateFor: string | undefined;
  close: () => void;
};

/** Adds what Pluggy's modal lacks: dialog role, name, focus, a close button, and a page behind it that cannot be reached. */
export function ConnectDialog({ frameRef, ready, pending, updateFor, close }: Props): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  // On a phone the notice covers the bank's window, so the user can dismiss it.
  const [read, setRead] = useState(false);

  // Before the first paint, and undone while the dialog is still in the document: closing gives the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const toasts = document.getElementById('toasts');
    element.showModal();
    // Everything outside a modal dialog is inert, and an inert live region is neither heard nor pressed.
    if (toasts) element.append(toasts);
    element.focus({ preventScroll: true });
    return () => {
      if (toasts) document.body.append(toasts);
      element.close();
    };
  }, []);

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
      <div className="connect__frame" ref={frameRef} />
      {updateFor !== undefined && <UpdateReason firm={updateFor} isHeading={false} />}
      <div className="connect__notice" role="status">
        {pending && !read && (
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
              <Button kind="quiet" onClick={() => setRead(true)}>
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
