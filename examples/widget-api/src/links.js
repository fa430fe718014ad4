/** Links, which clients get from the firm. Each call is made with one. */
import { createHash, randomBytes } from "node:crypto";
import { clientByUuid } from "./clients.js";
import { Refusal } from "./refusal.js";

/** @import { App } from "./app.js" */
/** @import { Client } from "./clients.js" */

const HOUR_MS = 3_600_000;

/** A client who was at the bank when the link expired may finish. */
const GRACE_MS = 2 * HOUR_MS;

/** The calls that a link still allows after its client has cancelled. */
const AFTER_CANCELLATION = [
	"POST /validate-token",
	"GET /list-accounts",
	"POST /cancel-integrations",
];

/**
 * Whether a client who is not active may make a call: only to withdraw, so from an open session, or with a cancel link.
 * @param {string} call
 * @param {Link["type"]} type
 */
const isWithdrawal = (call, type) =>
	AFTER_CANCELLATION.includes(call) &&
	(type === "cancel" || call !== "POST /validate-token");

/**
 * @typedef {object} Link
 * @property {string} hash
 * @property {Client} client
 * @property {"new" | "update" | "cancel"} type
 * @property {string | null} item of an update
 * @property {string | null} itemUpdatedAt
 * @property {boolean} isCancelled
 */

/** @param {string} token */
export const hashOf = (token) =>
	createHash("sha256").update(token).digest("hex");

/**
 * Makes a link and returns its token. Only a hash of the token is stored. A client who is not active gets only cancel links.
 * @param {Pick<App, "database" | "now">} app
 * @param {Client} client
 * @param {"new" | "update" | "cancel"} type
 * @param {{ item?: string | null, hours?: number }} options
 */
export function makeLink(
	{ database, now },
	client,
	type,
	{ item = null, hours = 7 * 24 } = {},
) {
	if (!client.isActive && type !== "cancel")
		throw new Error("the client is not active: only a cancel link is possible");
	const token = randomBytes(32).toString("base64url");
	database.run(
		`INSERT INTO link (token_hash, client, widget_type, item, created_at, expires_at)
		VALUES (?, ?, ?, ?, ?, ?)`,
		hashOf(token),
		client.uuid,
		type,
		item,
		now().toISOString(),
		new Date(now().getTime() + hours * HOUR_MS).toISOString(),
	);
	return token;
}

/**
 * Revokes all links of a client.
 * @param {Pick<App, "database" | "now">} app
 * @param {Client} client
 */
export function revokeLinks({ database, now }, client) {
	database.run(
		"UPDATE link SET revoked_at = ? WHERE client = ? AND revoked_at IS NULL",
		now().toISOString(),
		client.uuid,
	);
}

/**
 * Returns the link of a call. validate-token has the token in its body, all other calls in the header.
 * @throws {Refusal} if the link is unknown, or does not allow the call
 * @param {App} app
 * @param {string} call
 * @param {any} body
 * @param {import("node:http").IncomingHttpHeaders} headers
 * @returns {Link}
 */
export function linkOf({ database, now }, call, body, headers) {
	const isEntry = call === "POST /validate-token";
	const token = isEntry
		? body.token
		: /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1];
	if (token === undefined) throw new Refusal(401, "No token");
	const row = database.get(
		"SELECT * FROM link WHERE token_hash = ?",
		hashOf(token),
	);
	if (row === undefined) throw new Refusal(404, "Token not found");
	const client = clientByUuid(database, row.client);
	if (client === undefined) throw new Refusal(404, "Token not found");
	const link = {
		hash: row.token_hash,
		client,
		type: row.widget_type,
		item: row.item,
		itemUpdatedAt: row.item_updated_at,
		isCancelled: (client.cancelledAt ?? "") >= row.created_at,
	};
	// Only the log has the id of a new item, so it is accepted even if the link has ended.
	if (call === "POST /log") return link;
	if (row.revoked_at !== null) throw new Refusal(403, "Link revoked");
	const isFirst = isEntry && body.no_validate !== "of-success";
	const end = Date.parse(row.expires_at) + (isFirst ? 0 : GRACE_MS);
	if (end < now().getTime()) throw new Refusal(401, "Expired token");
	if (!client.isActive && !isWithdrawal(call, link.type))
		throw new Refusal(403, "Client not active");
	if (link.isCancelled && !AFTER_CANCELLATION.includes(call))
		throw new Refusal(403, "Integrations cancelled");
	return link;
}
