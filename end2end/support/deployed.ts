/**
 * With BASE_URL the suite tests a deployed product: `make e2e BASE_URL=https://…`. Then only tests with the tag `@deployed` run,
 * which neither start a program nor script the widget API. With LINK=… WRITE=1 a whole journey is one of them.
 */

/** The address of the product, without a slash at the end; undefined if the tests start their own. */
export const DEPLOYED = process.env.BASE_URL?.replace(/\/+$/, "") || undefined;

/** A link for a new account, for tests of a product that is not on the sandbox. */
export const LINK = process.env.LINK || undefined;

if (DEPLOYED !== undefined && LINK !== undefined) {
	const hosts = [DEPLOYED, LINK].map((address) => new URL(address).host);
	if (hosts[0] !== hosts[1])
		throw new Error(`LINK leads to ${hosts[1]}, but BASE_URL is ${hosts[0]}`);
}

/**
 * Whether tests may change what a deployed product has: the client of `LINK` then gives the consent, links an
 * account and cancels all.
 */
export const MAY_WRITE = DEPLOYED === undefined || Boolean(process.env.WRITE);

/** Whether the product is on the sandbox. */
let onSandbox: Promise<boolean> | undefined;

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
