import type { ReactNode } from 'react';

type Props = {
  kind: 'primary' | 'secondary' | 'quiet';
  children: ReactNode;
  /** Makes it a submit button. */
  submit?: boolean;
  busy?: boolean;
  describedBy?: string | undefined;
  onClick?: () => void;
};

/**
 * A button that can be busy. Busy it is `aria-disabled` instead of `disabled`, so that it can have the focus; its owner
 * ignores clicks. The label stays in place, and so does the width.
 */
export function Button({ kind, children, submit = false, busy = false, ...rest }: Props): ReactNode {
  return (
    <button
      type={submit ? 'submit' : 'button'}
      className={`button button--${kind}`}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      aria-describedby={rest.describedBy}
      onClick={rest.onClick}
      // The page's script may operate it before hydration (page/consent.ts).
      suppressHydrationWarning
    >
      {/* Shown by the style sheet while busy, also when a script before hydration says so. */}
      <span className="button__spinner" aria-hidden="true" />
      <span className="button__label">{children}</span>
    </button>
  );
}
