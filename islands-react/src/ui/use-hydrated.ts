import { useSyncExternalStore } from "react";

/** Returns whether React has hydrated the page; false while prerendering and during hydration. */
export function useHydrated(): boolean {
	return useSyncExternalStore(subscribeToNothing, isHydrated, isPrerendered);
}

function subscribeToNothing(): () => void {
	return () => {};
}

function isHydrated(): boolean {
	return true;
}

function isPrerendered(): boolean {
	return false;
}
