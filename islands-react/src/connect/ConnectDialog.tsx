import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { connect as words } from '../messages';
import { Button } from '../ui/Button';
import { inertOutside } from './inert-outside';

type Props = {
  frameRef: Ref<HTMLDivElement>;
  /** The widget has answered. */
  ready: boolean;
  /** Another owner of the account has to approve. */
  pending: boolean;
  close: () => void;
};

/** What Pluggy's modal lacks: dialog role, name, focus, a way out, and a page that is out of reach meanwhile. */
export function ConnectDialog({ frameRef, ready, pending, close }: Props): ReactNode {
  const dialog = useRef<HTMLDivElement>(null);
  // On a phone the notice lies over the bank's own window: once read, it goes.
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
      <div className="connect__frame" ref={frameRef} />
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
      {/* After the frame: the SDK's overlay takes the highest z-index there is, and among equals the later wins. */}
      <button type="button" className="connect__close button button--secondary" onClick={close}>
        {words.close}
      </button>
    </div>
  );
}
