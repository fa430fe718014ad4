/**
 * With BASE_URL the suite tests a deployed product: `make e2e BASE_URL=https://…`. Tests that start a program or script the
 * widget API are then skipped, and with LINK=… WRITE=1 a whole journey runs.
 */
import { test } from "@playwright/test";

/** The address of the product, without a slash at the end; undefined if the tests start their own. */
export const DEPLOYED = process.env.BASE_URL?.replace(/\/+$/, "") || undefined;

/** A link for a new account, for tests of a product that is not on the sandbox. */
export const LINK = process.env.LINK || undefined;

/** Whether tests may change what a deployed product has: the client of `LINK` then links an account and cancels all. */
export const MAY_WRITE = DEPLOYED === undefined || Boolean(process.env.WRITE);

/** Whether the product is on the sandbox. */
let onSandbox: Promise<boolean> | undefined;

/** Skips the current test if the product is deployed. */
export function skipIfDeployed(why: string): void {
	test.skip(DEPLOYED !== undefined, why);
}

/**
 * Replaces the value of a worker fixture that a deployed product lacks. A test that uses it is skipped. The fixture itself must
 * not skip: Playwright sets it up once, and would run the worker's next tests without it.
 */
export function absent<T extends object>(why: string): T {
	return new Proxy({} as T, {
		get(_, name) {
			// Playwright checks whether the value is a promise.
			if (name !== "then") skipIfDeployed(why);
			return undefined;
		},
	});
}

/** Whether the deployed product is on the sandbox, asked once. */
export function isOnSandbox(): Promise<boolean> {
	onSandbox ??= fetch(`${DEPLOYED}/sandbox`).then(
		({ ok }) => ok,
		(error: unknown) => {
			throw new Error(`BASE_URL ${DEPLOYED} does not answer: ${error}`);
		},
	);
	return onSandbox;
}
