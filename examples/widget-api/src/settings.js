/** The settings, from the environment. `.env.example` explains them. */
import { existsSync } from "node:fs";
import { join } from "node:path";

const ENV_FILE = join(import.meta.dirname, "../.env");

const DATABASE = join(import.meta.dirname, "../data/pluggy.db");

/**
 * @typedef {object} Settings
 * @property {string} host
 * @property {number} port 0 for a free one
 * @property {string} database
 * @property {{ clientId: string, clientSecret: string }} credentials
 * @property {string} pluggyUrl
 * @property {{ id: number, name: string }} firm
 * @property {string} productUrl where Vincula is, without a slash at the end
 * @property {boolean} includeSandbox whether the list has test banks
 * @property {string | undefined} hookSecret of the webhook; without one, none is accepted
 */

/** Sets what `.env` beside the code says, wherever the process is started. Variables that are set already win over it. */
export function loadEnvFile() {
	if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
}

/** @throws {Error} if a setting is missing or not valid @param {NodeJS.ProcessEnv} env @returns {Settings} */
export function readSettings(env = process.env) {
	const clientId = env.PLUGGY_CLIENT_ID ?? "";
	const clientSecret = env.PLUGGY_CLIENT_SECRET ?? "";
	if (clientId === "" || clientSecret === "")
		throw new Error(
			"PLUGGY_CLIENT_ID or PLUGGY_CLIENT_SECRET is missing; `npm run demo` needs neither",
		);
	return {
		host: env.HOST || "127.0.0.1",
		port: wholeNumber(env, "PORT", 4000),
		database: env.DATABASE_URL || DATABASE,
		credentials: { clientId, clientSecret },
		pluggyUrl: env.PLUGGY_API_URL || "https://api.pluggy.ai",
		firm: {
			id: wholeNumber(env, "FIRM_ID", 4711),
			name: env.FIRM_NAME || "Contábil Exemplo",
		},
		productUrl: (env.VINCULA_URL || "http://127.0.0.1:3000").replace(/\/$/, ""),
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
