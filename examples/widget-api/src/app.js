/** Creates what the parts of the API share. */
import { adopt, remove, sync } from "./adopt.js";
import { Database } from "./database.js";
import { Jobs } from "./jobs.js";
import { Ledger } from "./ledger.js";
import { Pluggy } from "./pluggy.js";
import { PretendPluggy } from "./pretend.js";

/** @import { Settings } from "./settings.js" */

/**
 * @typedef {object} App
 * @property {Settings} settings
 * @property {Database} database
 * @property {Ledger} ledger
 * @property {Pluggy | PretendPluggy} pluggy
 * @property {Jobs} jobs
 * @property {() => Date} now
 * @property {(text: string) => void} alert for what a person of the firm has to look at
 */

/**
 * @param {Settings} settings
 * @param {() => Date} now
 * @returns {App}
 */
export function createApp(settings, now = () => new Date()) {
	const database = new Database(settings.database);
	const path = settings.database;
	const ledger = new Ledger(
		path === ":memory:" ? undefined : `${path}.items.log`,
		now,
	);
	// Send a mail here, or use whatever your colleagues read.
	const alert = (/** @type {string} */ text) => console.error(`ALERT: ${text}`);
	const pluggy =
		settings.credentials === undefined
			? new PretendPluggy(now)
			: new Pluggy(settings, now);
	/** @type {App} */
	const app = {
		settings,
		database,
		ledger,
		pluggy,
		now,
		alert,
		jobs: new Jobs(database, now, (text) => app.alert(text), {
			adopt: (item, claimedBy) => adopt(app, item, claimedBy),
			sync: (item) => sync(app, item),
			delete: (item) => remove(app, item),
		}),
	};
	return app;
}
