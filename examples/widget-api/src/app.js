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
	const pluggy = new Pluggy(settings, now, limits);
	const items = new Items({ settings, database, pluggy, log, now });
	return { settings, database, pluggy, items, log, now };
}
