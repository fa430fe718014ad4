import { useEffect, useRef } from 'react';

/**
 * Runs an action at once, or, while a finger or button is down, after it is up and its click has been sent. What
 * moves the page between press and release swallows the click: an error that appears when a field is left would take
 * the button away from under the finger that is just pressing it.
 */
export function useAfterPress(): (action: () => void) => void {
  const pressed = useRef(false);
  const waiting = useRef<(() => void)[]>([]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const press = (): void => {
      pressed.current = true;
    };
    const release = (): void => {
      // The click comes right after the release, before any timer.
      timer = setTimeout(() => {
        pressed.current = false;
        for (const action of waiting.current.splice(0)) action();
      });
    };
    window.addEventListener('pointerdown', press, true);
    window.addEventListener('pointerup', release, true);
    window.addEventListener('pointercancel', release, true);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pointerdown', press, true);
      window.removeEventListener('pointerup', release, true);
      window.removeEventListener('pointercancel', release, true);
    };
  }, []);

  return (action) => {
    if (pressed.current) waiting.current.push(action);
    else action();
  };
}
