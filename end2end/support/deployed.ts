/**
 * With BASE_URL the suite tests a product that runs elsewhere: `make e2e BASE_URL=https://…`. Tests that start a program or script
 * the widget API are skipped then.
 */
import { test } from "@playwright/test";

/** The address of the product, without a slash at the end; undefined if the tests start their own. */
export const DEPLOYED = process.env.BASE_URL?.replace(/\/+$/, "") || undefined;

/** A link for a new account, for tests of a product that is not on the sandbox. */
export const LINK = process.env.LINK || undefined;

/** Whether the product is on the sandbox. */
let onSandbox: Promise<boolean> | undefined;

/** Skips the rest of a test, which cannot run on a deployed product. */
export function skipIfDeployed(why: string): void {
	test.skip(DEPLOYED !== undefined, why);
}

/**
 * Stands for what is shared by the tests of a worker and is not there on a deployed product: a test that uses it is skipped.
 * A fixture of that kind must not skip itself, because Playwright runs it for the first test only.
 */
export function absent<T extends object>(why: string): T {
	return new Proxy({} as T, {
		get(_, name) {
			// Playwright looks whether the value is a promise.
			if (name !== "then") skipIfDeployed(why);
			return undefined;
		},
	});
}

/** Whether the deployed product is on the sandbox, asked once. */
export function isOnSandbox(): Promise<boolean> {
	onSandbox ??= fetch(`${DEPLOYED}/sandbox/screens.json`).then(
		({ ok }) => ok,
		(error: unknown) => {
			throw new Error(`BASE_URL ${DEPLOYED} does not answer: ${error}`);
		},
	);
	return onSandbox;
}
