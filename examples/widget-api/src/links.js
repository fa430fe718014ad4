/** Links, which clients get from the firm. Each call is made with one. */
import { createHash, randomBytes } from "node:crypto";
import { firmOf } from "./clients.js";

/** @import { App } from "./app.js" */
/** @import { Client } from "./clients.js" */

const HOUR_MS = 3_600_000;

/** A client who was at the bank when the link expired may finish. */
const GRACE_MS = 2 * HOUR_MS;

/** How long after its end a link may still name an item. */
const ITEM_GRACE_MS = 24 * HOUR_MS;

/** The calls with which a client withdraws. A link allows them after its client has cancelled, and after its date. */
const WITHDRAWING = [
	"POST /validate-token",
	"GET /list-accounts",
	"POST /cancel-integrations",
];

/** A call is refused. `status` is the HTTP status and `meta.status`. Use 404 only for an unknown token or item. */
export class Refusal extends Error {
	/** @param {number} status @param {string} message */
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

/**
 * @typedef {object} Link
 * @property {string} hash
 * @property {string} client the `uuid` of its client
 * @property {"new" | "update" | "cancel"} type
 * @property {string | null} item of an update
 * @property {boolean} isItemGone whether Pluggy does not return this item: the link makes a new connection instead
 * @property {string | null} itemUpdatedAt
 * @property {boolean} isCancelled
 * @property {boolean} mayNameItems
 */

/** @param {string} token */
export const hashOf = (token) =>
	createHash("sha256").update(token).digest("hex");

/**
 * Makes a link and returns its token. Only a hash of the token is stored. A client who is not active gets only cancel links.
 * @throws {Error} if the client is not active, or the item to renew is not the client's
 * @param {Pick<App, "database" | "now">} app
 * @param {Client} client
 * @param {Link["type"]} type
 * @param {{ item?: string | null, hours?: number }} options
 */
export async function makeLink(
	{ database, now },
	client,
	type,
	{ item = null, hours = 7 * 24 } = {},
) {
	if (!client.isActive && type !== "cancel")
		throw new Error("the client is not active: only a cancel link is possible");
	if (type === "update") {
		const row = await database.get(
			"SELECT client FROM item WHERE id = $1 AND gone_at IS NULL",
			item,
		);
		if (row?.client !== client.uuid)
			throw new Error("the item is not a bank connection of this client");
	}
	const token = randomBytes(32).toString("base64url");
	await database.run(
		`INSERT INTO link (token_hash, client, widget_type, item, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6)`,
		hashOf(token),
		client.uuid,
		type,
		item,
		now().toISOString(),
		new Date(now().getTime() + hours * HOUR_MS).toISOString(),
	);
	return token;
}

/** Revokes all links of a client. @param {Pick<App, "database" | "now">} app @param {Client} client */
export async function revokeLinks({ database, now }, client) {
	await database.run(
		"UPDATE link SET revoked_at = $2 WHERE client = $1 AND revoked_at IS NULL",
		client.uuid,
		now().toISOString(),
	);
}

/**
 * Returns the link of a call. validate-token has the token in its body, all other calls in the header. A log, a list and a
 * cancellation do not read the table of clients, so they work while your system locks it.
 * @throws {Refusal} if the link is unknown, or does not allow the call
 * @param {App} app
 * @param {string} call
 * @param {any} body
 * @param {import("node:http").IncomingHttpHeaders} headers
 * @returns {Promise<Link>}
 */
export async function linkOf({ database, now }, call, body, headers) {
	const isEntry = call === "POST /validate-token";
	const token = isEntry
		? body.token
		: /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1];
	if (token === undefined) throw new Refusal(401, "No token");
	const link = await database.get(
		`SELECT token_hash AS hash, link.client, widget_type AS type, link.item, item_updated_at AS "itemUpdatedAt",
			gone_at IS NOT NULL AS "isItemGone", cancelled_at IS NOT NULL AS "isCancelled", revoked_at, expires_at
		FROM link LEFT JOIN item ON item.id = link.item WHERE token_hash = $1`,
		hashOf(token),
	);
	if (link === undefined) throw new Refusal(404, "Token not found");
	const age = now().getTime() - Date.parse(link.expires_at);
	link.mayNameItems = age < ITEM_GRACE_MS || link.isCancelled;
	// Only the log has the id of a new item, so it is accepted even if the link has ended.
	if (call === "POST /log") return link;
	if (link.revoked_at !== null) throw new Refusal(403, "Link revoked");
	const isFirst = isEntry && body.no_validate !== "of-success";
	if (age > (isFirst ? 0 : GRACE_MS)) {
		// A client whose cancellation has failed may repeat it.
		const canWithdraw =
			WITHDRAWING.includes(call) &&
			((link.isCancelled && !isEntry) || (await hasConsent(database, link)));
		if (!canWithdraw) throw new Refusal(401, "Expired token");
		link.type = "cancel";
	}
	if (link.isCancelled && !WITHDRAWING.includes(call))
		throw new Refusal(403, "Integrations cancelled");
	return link;
}

/**
 * Whether a consent is in force that was given with this link, or, if the link asks for none, with any of its client.
 * @param {App["database"]} database
 * @param {Link} link
 */
async function hasConsent(database, { hash, client, type }) {
	const consent = await database.get(
		`SELECT 1 FROM consent JOIN link ON link.token_hash = consent.link
		WHERE link.cancelled_at IS NULL AND (consent.link = $1 OR consent.client = $2)`,
		hash,
		type === "new" ? null : client,
	);
	return consent !== undefined;
}

/**
 * Returns the consent to the client's firm that covers what a link does: its own, else one in force, else one that was withdrawn.
 * @param {Pick<App, "database" | "settings">} app
 * @param {Client} client
 * @param {string | null} link
 * @returns {Promise<{ link: string, withdrawn_at: string | null } | undefined>}
 */
export async function consentOf({ database, settings }, client, link) {
	return database.get(
		`SELECT consent.link, link.cancelled_at AS withdrawn_at
		FROM consent JOIN link ON link.token_hash = consent.link WHERE consent.client = $1 AND consent.firm = $3
		ORDER BY CASE WHEN consent.link = $2 THEN 0 WHEN link.cancelled_at IS NULL THEN 1 ELSE 2 END, given_at DESC LIMIT 1`,
		client.uuid,
		link,
		String(firmOf(settings, client).id),
	);
}
