/**
 * The firm's clients. Your system has a table of them already: this file is all that knows its columns. What the rest
 * needs is a `Client`, and a `uuid` that never changes.
 */
import { randomUUID } from "node:crypto";

/** @import { Database } from "./database.js" */

/**
 * @typedef {object} Client
 * @property {string} uuid
 * @property {string} name
 * @property {string} document CPF or CNPJ, as it is shown
 * @property {string | null} cancelledAt
 */

const COLUMNS = "uuid, name, document, cancelled_at AS cancelledAt";

/**
 * @param {Database} database
 * @param {string} uuid
 * @returns {Client | undefined}
 */
export function clientByUuid(database, uuid) {
	return database.get(`SELECT ${COLUMNS} FROM client WHERE uuid = ?`, uuid);
}

/**
 * The client with this document; made if there is none.
 * @param {Database} database
 * @param {string} name
 * @param {string} document
 * @returns {Client}
 */
export function clientByDocument(database, name, document) {
	database.run(
		"INSERT INTO client (uuid, name, document) VALUES (?, ?, ?) ON CONFLICT (document) DO NOTHING",
		randomUUID(),
		name,
		document,
	);
	return database.get(
		`SELECT ${COLUMNS} FROM client WHERE document = ?`,
		document,
	);
}

/**
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
