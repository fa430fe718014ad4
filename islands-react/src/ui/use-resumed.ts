import { useEffect, useEffectEvent } from "react";
import { RESUMED } from "../page/navigate";

/** Runs `act` when busy controls become usable again (`RESUMED`). */
export function useResumed(act: () => void): void {
	const onResumed = useEffectEvent(act);
	useEffect(() => {
		const listener = (): void => onResumed();
		window.addEventListener(RESUMED, listener);
		return () => window.removeEventListener(RESUMED, listener);
	}, []);
}
