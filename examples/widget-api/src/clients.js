/**
 * The firm's clients. Your system already has a table of them: this file has all queries of it. The rest needs a `Client`,
 * whose `uuid` never changes.
 */
import { randomUUID } from "node:crypto";

/** @import { Database } from "./database.js" */

/**
 * @typedef {object} Client
 * @property {string} uuid
 * @property {string} name
 * @property {string} document CPF or CNPJ, as it is shown
 * @property {string | null} cancelledAt
 * @property {boolean} isActive whether the firm works for the client
 */

const COLUMNS =
	"uuid, name, document, cancelled_at AS cancelledAt, is_active AS isActive";

/**
 * @param {any} row
 * @returns {Client | undefined}
 */
const clientOf = (row) =>
	row === undefined ? undefined : { ...row, isActive: row.isActive === 1 };

/**
 * Returns the client of a link or an item, also one who is not active: `linkOf` decides what their links still allow, and
 * `store` what happens to their items.
 * @param {Database} database
 * @param {string} uuid
 * @returns {Client | undefined}
 */
export function clientByUuid(database, uuid) {
	return clientOf(
		database.get(`SELECT ${COLUMNS} FROM client WHERE uuid = ?`, uuid),
	);
}

/**
 * Returns the client with this document, formatted by `asShown`. Creates the client if there is none and a name is given.
 * @param {Database} database
 * @param {string} document
 * @param {string} [name]
 * @returns {Client | undefined}
 */
export function clientByDocument(database, document, name) {
	if (name !== undefined)
		database.run(
			"INSERT INTO client (uuid, name, document) VALUES (?, ?, ?) ON CONFLICT (document) DO NOTHING",
			randomUUID(),
			name,
			document,
		);
	return clientOf(
		database.get(`SELECT ${COLUMNS} FROM client WHERE document = ?`, document),
	);
}

/**
 * Formats a CPF or CNPJ; returns undefined if the length fits neither.
 * @param {string} document
 */
export function asShown(document) {
	const plain = document.replace(/[./-]/g, "").toUpperCase();
	if (/^\d{11}$/.test(plain))
		return plain.replace(/(...)(...)(...)(..)/, "$1.$2.$3-$4");
	// A CNPJ may contain letters, except in its check digits.
	if (/^[0-9A-Z]{12}\d\d$/.test(plain))
		return plain.replace(/(..)(...)(...)(....)(..)/, "$1.$2.$3/$4-$5");
	return undefined;
}

/**
 * Notes that the firm no longer works for a client.
 * @param {Database} database
 * @param {Client} client
 */
export function markInactive(database, client) {
	database.run("UPDATE client SET is_active = 0 WHERE uuid = ?", client.uuid);
}

/**
 * Stores the time of a cancellation.
 * @param {Database} database
 * @param {Client} client
 * @param {Date} now
 */
export function markCancelled(database, client, now) {
	database.run(
		"UPDATE client SET cancelled_at = ? WHERE uuid = ?",
		now.toISOString(),
		client.uuid,
	);
}
