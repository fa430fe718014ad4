import { type ReactNode, useEffect, useRef, useState } from 'react';
import { notYou as words } from '../messages';
import { Button } from '../ui/Button';

/** For somebody who is not the administrator: what to do, and a message to send. It has no link and no token. */
export function NotYou({ firm }: { firm: string }): ReactNode {
  const message = useRef<HTMLQuoteElement>(null);
  // Not known when the form is prerendered.
  const [shares, setShares] = useState(false);
  const [said, setSaid] = useState('');
  useEffect(() => setShares(canShare()), []);

  async function send(): Promise<void> {
    const result = await passOn(words.message(firm));
    if (result === 'failed' && message.current) getSelection()?.selectAllChildren(message.current);
    setSaid(words.results[result]);
  }

  return (
    <details className="not-you">
      <summary className="not-you__summary">{words.title}</summary>
      <div className="not-you__content">
        <p>{words.text(firm)}</p>
        <blockquote className="not-you__message" ref={message}>
          {words.message(firm)}
        </blockquote>
        <div className="actions">
          <Button kind="secondary" onClick={() => void send()}>
            {shares ? words.share : words.copy}
          </Button>
          <p className="not-you__result" role="status">
            {said}
          </p>
        </div>
      </div>
    </details>
  );
}

/** How the text was passed on: to an app of the person's choice, or else to the clipboard. */
type PassedOn = 'shared' | 'copied' | 'dismissed' | 'failed';

/** Whether the browser offers a choice of apps. */
function canShare(): boolean {
  return typeof navigator.share === 'function';
}

async function passOn(text: string): Promise<PassedOn> {
  if (!canShare()) return copy(text);
  try {
    await navigator.share({ text });
    return 'shared';
  } catch (error) {
    // Some embedded browsers have the method and refuse it.
    return error instanceof DOMException && error.name === 'AbortError' ? 'dismissed' : copy(text);
  }
}

async function copy(text: string): Promise<PassedOn> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'failed';
  }
}
