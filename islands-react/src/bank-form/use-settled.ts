import { useEffect, useState } from 'react';

/** The pause in typing after which the number of matches is announced. */
const SETTLED_AFTER_MS = 500;

/** Debounces `text` by `SETTLED_AFTER_MS`, restarting when `about` changes; an empty text applies at once. */
export function useSettled(text: string, about: string): string {
  const [settled, setSettled] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of `about` restarts the timer
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, about]);
  return text === '' ? '' : settled;
}
