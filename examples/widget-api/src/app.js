/** What the parts of the API share. */
import pino from "pino";
import { openDatabase } from "./database.js";
import { Items } from "./items.js";
import { Pluggy } from "./pluggy.js";

/** @import { Database } from "./database.js" */
/** @import { Settings } from "./settings.js" */

/**
 * @typedef {object} App
 * @property {Settings} settings
 * @property {Database} database
 * @property {Pluggy} pluggy
 * @property {pino.Logger} log no line has a token, document, name or account
 * @property {() => Date} now
 * @property {Items} items
 */

/** One JSON object per line, with the level as text. */
const LOG = {
	base: null,
	timestamp: pino.stdTimeFunctions.isoTime,
	formatters: { level: (/** @type {string} */ level) => ({ level }) },
};

/**
 * @param {Settings} settings
 * @param {object} options
 * @param {pino.Logger} [options.log]
 * @param {() => Date} [options.now]
 * @param {ConstructorParameters<typeof Pluggy>[2]} [options.limits]
 * @returns {Promise<App>}
 */
export async function createApp(
	settings,
	{ log = pino(LOG), now = () => new Date(), limits } = {},
) {
	const database = await openDatabase(settings.database);
	await checkApplication(database, settings.credentials);
	const pluggy = new Pluggy(settings, now, limits);
	const items = new Items({ settings, database, pluggy, log, now });
	return { settings, database, pluggy, items, log, now };
}

/**
 * Stores the application at the first start.
 * @throws {Error} if the database is another application's, whose items Pluggy would not return
 * @param {Database} database
 * @param {Settings["credentials"]} credentials
 */
async function checkApplication(database, { clientId }) {
	await database.run(
		"INSERT INTO application (only_row, client_id) VALUES (1, $1) ON CONFLICT (only_row) DO NOTHING",
		clientId,
	);
	const stored = await database.get("SELECT client_id FROM application");
	if (stored.client_id === clientId) return;
	await database.close();
	throw new Error(
		`PLUGGY_CLIENT_ID is not the application of this database, ${stored.client_id}`,
	);
}
