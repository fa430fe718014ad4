import { useSyncExternalStore } from "react";

/** Whether React operates the page: not in what was prerendered, nor while React compares itself with that. */
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
