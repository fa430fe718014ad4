import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { connect as words } from '../messages';
import { Button } from '../ui/Button';
import { inertOutside } from './inert-outside';
import { UpdateReason } from './UpdateReason';

type Props = {
  frameRef: Ref<HTMLDivElement>;
  /** The widget has opened. */
  ready: boolean;
  /** Another owner of the account has to approve. */
  pending: boolean;
  /** The firm that asks for an update: shown with its reason beside the window where there is room. */
  updateFor: string | undefined;
  close: () => void;
};

/** Adds what Pluggy's modal lacks: dialog role, name, focus, a close button, and an inert page behind it. */
export function ConnectDialog({ frameRef, ready, pending, updateFor, close }: Props): ReactNode {
  const dialog = useRef<HTMLDivElement>(null);
  // On a phone the notice covers the bank's window, so the user can dismiss it.
  const [read, setRead] = useState(false);

  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const before = document.activeElement;
    const restore = inertOutside(element);
    element.focus({ preventScroll: true });
    return () => {
      restore();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);

  return (
    <div
      ref={dialog}
      className="connect__dialog"
      role="dialog"
      aria-modal="true"
      aria-label={words.dialog}
      aria-busy={!ready}
      data-open={ready || undefined}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <p className="visually-hidden" role="status">
        {ready && words.opened}
      </p>
      <div className="connect__frame" ref={frameRef} />
      {updateFor !== undefined && <UpdateReason firm={updateFor} isHeading={false} />}
      <div className="connect__notice" role="status">
        {pending && !read && (
          <div className="notice notice--info">
            <div>
              <p>
                <strong>{words.pending}</strong>
              </p>
              <p>{words.pendingText}</p>
            </div>
            <Button kind="quiet" onClick={() => setRead(true)}>
              {words.pendingRead}
            </Button>
          </div>
        )}
      </div>
      {/* After the frame: the SDK's overlay has the maximum z-index, and of equal ones the later element is on top. */}
      <button type="button" className="connect__close button button--secondary" onClick={close}>
        {words.close}
      </button>
    </div>
  );
}
