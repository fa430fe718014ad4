import { setTimeout as pause } from "node:timers/promises";

/**
 * Waits until there is a value.
 * @template T
 * @param {() => T | Promise<T>} get
 * @param {number} ms
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(get, ms = 60_000) {
	const end = performance.now() + ms;
	for (;;) {
		const value = await get();
		if (value) return value;
		if (performance.now() > end) throw new Error(`not within ${ms} ms: ${get}`);
		await pause(50);
	}
}
