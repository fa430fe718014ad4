import { useEffect, useRef } from 'react';

/**
 * Runs an action at once or, while a pointer is down, after its release and click. A layout shift between press and
 * release loses the click: an error shown on blur would move the button that the user is pressing.
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
      // The click event follows pointerup at once, before any timer.
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
