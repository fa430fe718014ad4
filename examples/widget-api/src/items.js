/** Items (bank connections) and their accounts in the tables. Nothing here calls Pluggy. */

import { markCancelled, markInactive } from "./clients.js";

/** @import { App } from "./app.js" */
/** @import { Client } from "./clients.js" */

/** The form of Pluggy's ids. An item's id comes from a browser and becomes part of an address, so it must have this form. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * @param {unknown} id
 * @returns {id is string}
 */
export const isUuid = (id) => typeof id === "string" && UUID.test(id);

/**
 * Returns the rows of list-accounts: the accounts of the client's active items.
 * @param {App} app
 * @param {Client} client
 */
export function listRows({ database }, client) {
	return database.all(
		`SELECT item.bank, account.agency, account.number, account.name FROM item
		JOIN account ON account.item = item.id
		WHERE item.client = ? AND item.state = 'active'
		ORDER BY item.created_at, item.id, account.agency, account.number`,
		client.uuid,
	);
}

/**
 * Removes items from the client's list, and adds jobs that delete them at Pluggy. Runs in the caller's transaction.
 * @param {App} app
 * @param {string[]} ids
 */
export function leave({ database, jobs }, ids) {
	for (const id of ids) {
		database.run(
			"UPDATE item SET state = 'leaving' WHERE id = ? AND state = 'active'",
			id,
		);
		jobs.add("delete", id);
	}
}

/**
 * Ends all connections of a client: the tables change at once, and jobs delete the items at Pluggy afterwards. Runs in the
 * caller's transaction.
 * @param {App} app
 * @param {Client} client
 * @returns how many connections are to be deleted
 */
export function endAll(app, client) {
	const { database, now } = app;
	markCancelled(database, client, now());
	database.run(
		"UPDATE consent SET withdrawn_at = ? WHERE client = ? AND withdrawn_at IS NULL",
		now().toISOString(),
		client.uuid,
	);
	const items = activeItems(app, client);
	leave(app, items);
	return items.length;
}

/**
 * Ends the firm's work for a client, with all connections. Any process may call it: the API that runs does the jobs.
 * @param {App} app
 * @param {Client} client
 * @returns how many connections are to be deleted
 */
export function endClient(app, client) {
	return app.database.transaction(() => {
		markInactive(app.database, client);
		return endAll(app, client);
	});
}

/**
 * Returns the ids of the client's active items.
 * @param {App} app
 * @param {Client} client
 * @returns {string[]}
 */
export function activeItems({ database }, client) {
	return database
		.all(
			"SELECT id FROM item WHERE client = ? AND state = 'active' ORDER BY created_at",
			client.uuid,
		)
		.map(({ id }) => id);
}
