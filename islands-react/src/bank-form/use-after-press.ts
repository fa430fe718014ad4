import { useEffect, useRef } from "react";

/**
 * Runs an action in a microtask or, while a pointer is down, after its release and click. A layout
 * shift between press and release loses the click: an error shown on blur would move the button that
 * the person is pressing.
 */
export function useAfterPress(): (action: () => void) => void {
	/** The actions that wait for the release; undefined while nothing is pressed. */
	const waiting = useRef<(() => void)[]>(undefined);

	useEffect(() => {
		const press = ({ button }: PointerEvent): void => {
			// Other mouse buttons do not click, and a menu that they open may swallow the release.
			if (button === 0) waiting.current ??= [];
		};
		const release = (): void => {
			// The click event follows the release immediately, before any timer.
			setTimeout(() => {
				const actions = waiting.current ?? [];
				waiting.current = undefined;
				for (const action of actions) action();
			});
		};
		const unmounted = new AbortController();
		const options = { capture: true, signal: unmounted.signal };
		addEventListener("pointerdown", press, options);
		addEventListener("pointerup", release, options);
		addEventListener("pointercancel", release, options);
		return () => unmounted.abort();
	}, []);

	return (action) => {
		if (waiting.current === undefined) queueMicrotask(action);
		else waiting.current.push(action);
	};
}
