/**
 * The firm's clients. Your system already has a table of them: this file has all queries of it. The rest needs a `Client`,
 * whose `uuid` never changes. If your table has none, keep it beside, in a table `client (uuid, customer)`:
 *
 *   SELECT client.uuid, customer.legal_name AS name, customer.document, customer.state = 'active' AS is_active
 *   FROM client JOIN customer ON customer.id = client.customer
 *
 * Then `createClient` adds this row for a customer whom you have, `deleteClient` deletes only this row, and `schema.sql` has both
 * tables.
 */
import { randomUUID } from "node:crypto";

/** @import { Database, Statement } from "./database.js" */
/** @import { Settings } from "./settings.js" */

/**
 * @typedef {object} Client
 * @property {string} uuid
 * @property {string} name
 * @property {string} document CPF or CNPJ, as it is shown
 * @property {boolean | number} isActive whether the firm works for the client
 */

const CLIENTS = `SELECT uuid, name, document, is_active AS "isActive" FROM client`;

/**
 * Returns the firm that a client sees. If there are several, it depends on the client.
 * @param {Settings} settings
 * @param {Client} _client
 */
export const firmOf = ({ firm }, _client) => firm;

/**
 * Returns which banks a client may link: a private account is not the company's. A firm whose entrepreneurs use private
 * accounts returns both types for a CNPJ.
 * @param {Client} client
 */
export const bankTypesOf = ({ document }) =>
	document.replace(/[./-]/g, "").length > 11
		? ["BUSINESS_BANK"]
		: ["PERSONAL_BANK"];

/**
 * Returns the client of a link or an item, also one who is not active.
 * @param {Database} database
 * @param {string | null} uuid
 * @returns {Promise<Client | undefined>}
 */
export const clientByUuid = (database, uuid) =>
	database.get(`${CLIENTS} WHERE uuid = $1`, uuid);

/**
 * Returns the client with this document, formatted by `asShown`.
 * @param {Database} database
 * @param {string} document
 * @returns {Promise<Client | undefined>}
 */
export const clientByDocument = (database, document) =>
	database.get(`${CLIENTS} WHERE document = $1`, document);

/** Returns all clients by name. @param {Database} database @returns {Promise<Client[]>} */
export const allClients = (database) =>
	database.all(`${CLIENTS} ORDER BY name`);

/**
 * Creates a client, if there is none with this document.
 * @param {Database} database
 * @param {string} document
 * @param {string} name
 */
export async function createClient(database, document, name) {
	await database.run(
		"INSERT INTO client (uuid, name, document) VALUES ($1, $2, $3) ON CONFLICT (document) DO NOTHING",
		randomUUID(),
		name,
		document,
	);
}

/** Notes that the firm no longer works for a client. @param {Client} client @returns {Statement} */
export const markInactive = ({ uuid }) => [
	"UPDATE client SET is_active = 0 WHERE uuid = $1",
	uuid,
];

/** Deletes a client. @param {Client} client @returns {Statement} */
export const deleteClient = ({ uuid }) => [
	"DELETE FROM client WHERE uuid = $1",
	uuid,
];

/** Formats a CPF or CNPJ; returns undefined if its length or its check digits are wrong. @param {string} document */
export function asShown(document) {
	const plain = document.replace(/[./\s-]/g, "").toUpperCase();
	// A CNPJ may contain letters, except in its check digits.
	const isDocument = /^(?!(.)\1*$)(\d{11}|[0-9A-Z]{12}\d\d)$/.test(plain);
	if (!isDocument || !hasCheckDigits(plain)) return undefined;
	return plain.length === 11
		? plain.replace(/(...)(...)(...)(..)/, "$1.$2.$3-$4")
		: plain.replace(/(..)(...)(...)(....)(..)/, "$1.$2.$3/$4-$5");
}

/** @param {string} plain without punctuation */
function hasCheckDigits(plain) {
	// Weights rise from the right: 2, 3, … and begin again after the highest.
	const weights = plain.length === 11 ? 10 : 8;
	return [2, 1].every((left) => {
		const digits = [...plain.slice(0, -left)].reverse();
		const products = digits.map(
			(sign, place) => (sign.charCodeAt(0) - 48) * (2 + (place % weights)),
		);
		const sum = products.reduce((total, product) => total + product);
		return Number(plain.at(-left)) === ((sum * 10) % 11) % 10;
	});
}
