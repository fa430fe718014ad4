/** The settings, from the environment. `.env.example` explains them. */
import { join } from "node:path";

const DATA = join(import.meta.dirname, "../data");

/** The database of the fake of Pluggy, whose items last until it stops. */
export const FAKE_DATABASE = join(DATA, "fake.db");

/**
 * @typedef {object} Settings
 * @property {string} host
 * @property {number} port 0 for a free one
 * @property {string} database
 * @property {{ clientId: string, clientSecret: string }} credentials
 * @property {{ id: number, name: string }} firm
 * @property {string} productUrl where Vincula is, without a slash at the end
 * @property {string[]} products what the bank is asked for
 * @property {boolean} includeSandbox whether the list has test banks
 * @property {string | undefined} hookSecret of the webhook; without one, none is accepted
 */

/** Whether there are no credentials, so that the API runs on the fake of Pluggy. */
export const isWithoutPluggy = (env = process.env) =>
	!env.PLUGGY_CLIENT_ID && !env.PLUGGY_CLIENT_SECRET;

/** @throws {Error} if a setting is missing or not valid @param {NodeJS.ProcessEnv} env @returns {Settings} */
export function readSettings(env = process.env) {
	const clientId = env.PLUGGY_CLIENT_ID ?? "";
	const clientSecret = env.PLUGGY_CLIENT_SECRET ?? "";
	const isFake = isWithoutPluggy(env);
	if (!isFake && (clientId === "" || clientSecret === ""))
		throw new Error(
			"PLUGGY_CLIENT_ID and PLUGGY_CLIENT_SECRET belong together: one of them is missing",
		);
	// On the fake, every item of this database would be gone.
	if (isFake && env.DATABASE_URL)
		throw new Error(
			"DATABASE_URL is set, but PLUGGY_CLIENT_ID and PLUGGY_CLIENT_SECRET are missing",
		);
	return {
		host: env.HOST || "127.0.0.1",
		port: wholeNumber(env, "PORT", 4000),
		database: isFake
			? FAKE_DATABASE
			: env.DATABASE_URL || join(DATA, "pluggy.db"),
		credentials: { clientId, clientSecret },
		firm: {
			id: wholeNumber(env, "FIRM_ID", 4711),
			name: env.FIRM_NAME || "Contábil Exemplo",
		},
		productUrl: (env.VINCULA_URL || "http://127.0.0.1:3000").replace(/\/$/, ""),
		products: (env.PLUGGY_PRODUCTS || "ACCOUNTS,TRANSACTIONS").split(","),
		includeSandbox: env.PLUGGY_INCLUDE_SANDBOX !== "false",
		hookSecret: env.PLUGGY_WEBHOOK_SECRET || undefined,
	};
}

/** @param {NodeJS.ProcessEnv} env @param {string} name @param {number} otherwise */
function wholeNumber(env, name, otherwise) {
	const text = env[name] || String(otherwise);
	if (!/^\d{1,15}$/.test(text)) throw new Error(`${name} is no whole number`);
	return Number(text);
}
