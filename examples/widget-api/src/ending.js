/** How connections end, and the firm's work for a client. */
import { deleteClient, markInactive } from "./clients.js";
import { ROWS } from "./items.js";
import { hashOf, makeLink } from "./links.js";
import { PRIORITY } from "./pluggy.js";

/** @import { App } from "./app.js" */
/** @import { Client } from "./clients.js" */
/** @import { Statement } from "./database.js" */
/** @import { Row } from "./items.js" */

/**
 * Deletes an item that has no client or no accounts.
 * @throws {Error} if it has both, or does not exist
 * @param {App} app
 * @param {string} id
 */
export async function deleteUnused({ items }, id) {
	const row = await items.reconcile(id);
	if (row === undefined || (row.client !== null && row.listed > 0))
		throw new Error("--item is no bank connection without accounts");
	await items.delete(row, "deleted at Pluggy by the firm");
}

/**
 * Cancels: withdraws all consents of a client, and deletes every item at Pluggy. This ends the links with which a consent was
 * given. A new link without one stays, and begins with a consent of its own.
 * @throws {import("./pluggy.js").PluggyError} if an item still exists at Pluggy: `sweep` goes on, and the call can be repeated
 * @param {App} app
 * @param {string} client
 * @param {string} link with which the client cancels
 * @param {Statement[]} others run with it
 * @returns how many items were deleted
 */
export async function end(app, client, link, others = []) {
	const { database, items, log, now } = app;
	await database.batch([
		[
			`UPDATE link SET cancelled_at = $3 WHERE client = $1 AND cancelled_at IS NULL
				AND (token_hash = $2 OR widget_type <> 'new' OR token_hash IN (SELECT link FROM consent))`,
			client,
			link,
			now().toISOString(),
		],
		// Also what was kept apart.
		[
			"UPDATE item SET consent = $2 WHERE client = $1 AND consent IS NULL",
			client,
			link,
		],
		...others,
	]);
	const rows = await database.all(
		`${ROWS} WHERE item.deleted_at IS NULL AND (item.client = $1 AND cover.cancelled_at IS NOT NULL
			OR item.status IS NULL AND item.answered < item.asked AND namer.client = $1)`,
		client,
	);
	const ends = await Promise.allSettled(
		rows.map(({ id }) => items.reconcile(id, PRIORITY.deletion)),
	);
	const failures = ends.flatMap((end) =>
		end.status === "rejected" ? [end.reason] : [],
	);
	if (failures.length > 0) {
		log.warn(`${failures.length} of ${rows.length} items not deleted`);
		throw failures[0];
	}
	return rows.length;
}

/**
 * Ends the firm's work for a client, as the client's own cancellation would.
 * @throws {import("./pluggy.js").PluggyError} as `end` does
 * @param {App} app
 * @param {Client} client
 */
export async function leave(app, client) {
	const token = await makeLink(app, client, "cancel");
	return end(app, client.uuid, hashOf(token), [markInactive(client)]);
}

/**
 * Deletes all data of a client, as the law may require. The evidence of the consents goes, too.
 * @throws {Error} if a connection may exist, which nobody could delete at Pluggy afterwards
 * @param {App} app
 * @param {Client} client
 */
export async function erase({ database }, client) {
	const { uuid } = client;
	const links = "(SELECT token_hash FROM link WHERE client = $1)";
	const existing = await database.get(
		`SELECT id FROM item WHERE deleted_at IS NULL AND (client = $1 OR client IS NULL AND link IN ${links})`,
		uuid,
	);
	if (existing !== undefined)
		throw new Error("the client has bank connections: end them first");
	await database.batch([
		["DELETE FROM item WHERE client = $1", uuid],
		[`UPDATE item SET link = NULL WHERE link IN ${links}`, uuid],
		[`DELETE FROM log WHERE link IN ${links}`, uuid],
		["DELETE FROM consent WHERE client = $1", uuid],
		["DELETE FROM link WHERE client = $1", uuid],
		deleteClient(client),
	]);
	await database.purge();
}

/**
 * Returns the items that we have not deleted, but no item that is gone if its client has linked a bank since.
 * @param {App} app
 * @returns {Promise<Row[]>}
 */
export function existingItems({ database }) {
	return database.all(
		`${ROWS} WHERE item.deleted_at IS NULL AND (item.gone_at IS NULL OR cover.cancelled_at IS NOT NULL OR NOT EXISTS
			(SELECT 1 FROM item newer WHERE newer.client = item.client AND newer.seen_at > item.gone_at AND newer.gone_at IS NULL))
		ORDER BY item.seen_at`,
	);
}
