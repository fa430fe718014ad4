import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { common } from '../messages';

const SLOW_AFTER_MS = 8000;

export function Loading({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <div className="loading">
      <span className="spinner" aria-hidden="true" />
      <p className="loading__text" role="status">
        {title}
      </p>
      {children}
      <Slow busy />
    </div>
  );
}

/** Announces a wait that takes longer than usual; the live region exists from the start. */
export function Slow({ busy }: { busy: boolean }): ReactNode {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [busy]);
  return (
    <p className={slow ? 'field__hint' : 'visually-hidden'} role="status">
      {slow ? common.slow : ''}
    </p>
  );
}

/** Runs `act` when the page was left and is still there, or has come back from the cache (`page/navigate.ts`). */
export function useStays(act: () => void): void {
  const onStays = useEffectEvent(act);
  useEffect(() => {
    const listener = (): void => onStays();
    window.addEventListener('vincula-stays', listener);
    return () => window.removeEventListener('vincula-stays', listener);
  }, []);
}
