/** The settings, from the environment. The README has a table of them. */
import { join } from "node:path";

const DATA = join(import.meta.dirname, "../data");

/**
 * @typedef {object} Settings
 * @property {string} host
 * @property {number} port 0 for a free one
 * @property {string} database a path, or `:memory:`
 * @property {boolean} isDisposable whether the database is empty at each start and may get invented clients
 * @property {{ clientId: string, clientSecret: string } | undefined} credentials without them banks are invented
 * @property {{ id: number, name: string }} firm
 * @property {string} productUrl where Vincula is, without a slash at the end
 * @property {string[]} products what the bank is asked for: as the product's setting of the same name
 * @property {boolean} includeSandbox whether the list has test banks
 * @property {string[]} hookSecrets the current one, and the previous one during a rotation
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Settings}
 */
export function readSettings(env = process.env) {
	const { PLUGGY_CLIENT_ID: clientId, PLUGGY_CLIENT_SECRET: clientSecret } =
		env;
	if (Boolean(clientId) !== Boolean(clientSecret))
		throw new Error(
			"PLUGGY_CLIENT_ID and PLUGGY_CLIENT_SECRET belong together: one of them is missing",
		);
	const credentials =
		clientId && clientSecret ? { clientId, clientSecret } : undefined;
	// Invented items do not exist at Pluggy.
	const file = credentials ? "pluggy.db" : "pretend.db";
	return {
		host: env.HOST ?? "127.0.0.1",
		port: Number(env.PORT ?? 4000),
		database: env.DATABASE ?? join(DATA, file),
		isDisposable:
			credentials === undefined &&
			(env.DATABASE === undefined || env.DATABASE === ":memory:"),
		credentials,
		firm: {
			id: Number(env.FIRM_ID ?? 4711),
			name: env.FIRM_NAME ?? "Contábil Exemplo",
		},
		productUrl: (env.VINCULA_URL ?? "http://127.0.0.1:3000").replace(/\/$/, ""),
		products: (env.PLUGGY_PRODUCTS ?? "ACCOUNTS,TRANSACTIONS").split(","),
		includeSandbox: env.PLUGGY_INCLUDE_SANDBOX !== "false",
		hookSecrets: [
			env.PLUGGY_WEBHOOK_SECRET,
			env.PLUGGY_WEBHOOK_SECRET_PREVIOUS,
		].flatMap((secret) => (secret ? [secret] : [])),
	};
}
