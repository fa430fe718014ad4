import { useEffect, useEffectEvent } from "react";
import { RESUMED } from "../page/navigate";

/** Runs `act` when a navigation has stalled, or the page comes back from the back/forward cache. */
export function useResumed(act: () => void): void {
	const onResumed = useEffectEvent(act);
	useEffect(() => {
		const listener = (): void => onResumed();
		window.addEventListener(RESUMED, listener);
		return () => window.removeEventListener(RESUMED, listener);
	}, []);
}
