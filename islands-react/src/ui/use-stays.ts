import { useEffect, useRef } from 'react';

/** Runs `act` when the page was left and is still there, or has come back from the cache (`page/navigate.ts`). */
export function useStays(act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const run = (): void => latest.current();
    window.addEventListener('vincula-stays', run);
    return () => window.removeEventListener('vincula-stays', run);
  }, []);
}
