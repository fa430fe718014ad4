import { useEffect, useRef } from 'react';

/**
 * Runs an action soon or, while a pointer is down, after its release and click. A layout shift between press and release
 * loses the click: an error shown on blur would move the button that the user is pressing.
 */
export function useAfterPress(): (action: () => void) => void {
  const released = useRef(Promise.resolve());

  useEffect(() => {
    const press = (): void => {
      released.current = new Promise((done) => {
        // The click event follows pointerup at once, before any timer.
        for (const end of ['pointerup', 'pointercancel'])
          addEventListener(end, () => setTimeout(done), { capture: true, once: true });
      });
    };
    addEventListener('pointerdown', press, true);
    return () => removeEventListener('pointerdown', press, true);
  }, []);

  return (action) => void released.current.then(action);
}
