/**
 * The nine calls that Vincula makes, and Pluggy's webhook. docs/widget-api.md explains them; docs/widget-api.openapi.yaml has
 * every field.
 */
import { bankTypesOf, clientByUuid, firmOf } from "./clients.js";
import { end } from "./ending.js";
import { consentOf, hashOf, Refusal } from "./links.js";
import { itemId, PRIORITY } from "./pluggy.js";

/** @import { IncomingHttpHeaders } from "node:http" */
/** @import { App } from "./app.js" */
/** @import { Statement } from "./database.js" */
/** @import { Link } from "./links.js" */

/** @typedef {{ headers: IncomingHttpHeaders, id: string }} Request `id` is the support code that clients see */

/**
 * @typedef {object} Call
 * @property {object} [body] the JSON schema of the body. Unknown keys are ignored, so that Vincula can add some.
 * @property {boolean} [isLimited] whether a link may make the call only a few times a minute, so that it delays no other
 * @property {(app: App, link: Link, body: any, request: Request) => unknown} act returns `data`
 */

/** How many entries of the log a link stores. Further ones are accepted. */
const MAX_ENTRIES = 200;

const EVIDENCE = [
	"consent-client-address",
	"consent-browser",
	"consent-text-version",
];

/** Without control characters: PostgreSQL stores no NUL. */
const pattern = "^\\P{Cc}+$";
const TEXT = { type: "string", pattern };
const ID = { type: ["string", "integer"], pattern };
const ID_OR_NULL = { type: ["string", "integer", "null"], pattern };

/** @param {Record<string, object>} properties */
const object = (properties) => ({
	type: "object",
	properties,
	required: Object.keys(properties),
});

/** Refuses a body whose id is not the link's own. @param {boolean} isRight @param {string} what */
function require(isRight, what) {
	if (!isRight) throw new Refusal(403, `${what} is not of this link`);
}

/** @type {Record<string, Call>} */
export const calls = {
	"POST /validate-token": {
		body: object({ token: TEXT }),
		async act(app, link) {
			const { client: uuid, type, item, isItemGone } = link;
			const isUpdate = type === "update" && !isItemGone;
			const client = await clientOf(app, link);
			const firm = firmOf(app.settings, client);
			return {
				client_name: client.name,
				client_cpfcnpj: client.document,
				customer_id: firm.id,
				customer_name: firm.name,
				widget_account_admin_name: null,
				widget_account_admin_cpfcnpj: null,
				// An item that is gone cannot be renewed: the client links the bank anew.
				widget_type: type === "update" && !isUpdate ? "new" : type,
				widget_account_bank: null,
				// Null unless the link is an update: an id opens Connect in update mode.
				link_id: isUpdate ? item : null,
				client_uuid: uuid,
			};
		},
	},

	"POST /authorize-customer": {
		body: object({ customer_id: ID }),
		async act(app, link, body, { headers, id }) {
			const firm = firmOf(app.settings, await connectingClient(app, link));
			require(body.customer_id === firm.id, "customer_id");
			const evidence = EVIDENCE.map((header) => [header, headers[header]]);
			await app.database.run(
				`INSERT INTO consent (link, client, firm, given_at, evidence, request_id) VALUES ($1, $2, $3, $4, $5, $6)
				ON CONFLICT (link, firm) DO NOTHING`,
				link.hash,
				link.client,
				String(firm.id),
				app.now().toISOString(),
				JSON.stringify(Object.fromEntries(evidence)),
				id,
			);
		},
	},

	// Each open screen asks every 3 seconds, so this never waits for Pluggy.
	"GET /list-accounts": {
		async act(app, { client }) {
			const rows = await app.items.list(client);
			await app.items.watch(client);
			return rows;
		},
	},

	"GET /list-banks": {
		async act(app, link) {
			const types = bankTypesOf(await clientOf(app, link));
			const connectors = await app.pluggy.connectors();
			return connectors
				.filter(({ type, isSandbox }) => isSandbox || types.includes(type))
				.map(({ id, name }) => ({ code: String(id), name }));
		},
	},

	"POST /connect-token": {
		body: object({ link_id: ID_OR_NULL, client_uuid: ID_OR_NULL }),
		isLimited: true,
		async act(app, link, { link_id, client_uuid }) {
			const { client, isItemGone } = link;
			const item = link_id === null && isItemGone ? null : link.item;
			require(link_id === item, "link_id");
			require(client_uuid === client, "client_uuid");
			await requireConsent(app, link);
			if (item !== null) {
				const row = await app.items.reconcile(item, PRIORITY.call);
				if (row?.client !== client || row.gone_at !== null)
					throw new Refusal(404, "item not found");
				// If it is still the same after the update, nothing has changed.
				await app.database.run(
					"UPDATE link SET item_updated_at = $2 WHERE token_hash = $1",
					link.hash,
					row.updated_at,
				);
			}
			const { productUrl } = app.settings;
			return app.pluggy.connectToken(item, {
				clientUserId: client,
				// Pluggy accepts public addresses only. A bank's app cannot return to a product on this machine.
				...(productUrl.startsWith("https://")
					? { oauthRedirectUri: `${productUrl}/?of-success` }
					: {}),
			});
		},
	},

	"PUT /update-link-account": {
		body: object({ link: { ...TEXT, maxLength: 128 } }),
		isLimited: true,
		async act(app, link, body) {
			const id = itemId(body.link);
			if (id === null) throw new Refusal(404, "item not found");
			await requireConsent(app, link);
			await app.items.name(id, link.hash);
			const row = await app.items.reconcile(id, PRIORITY.call);
			if (row?.client !== link.client || row.gone_at !== null)
				throw new Refusal(404, "item not found");
			// Connect made another item instead.
			if (link.item !== null && link.item !== id)
				await app.database.run(
					"UPDATE link SET item = $2 WHERE token_hash = $1",
					link.hash,
					id,
				);
			else if (link.itemUpdatedAt === row.updated_at)
				throw new Refusal(409, "no changes");
		},
	},

	"POST /log": {
		body: object({ type: TEXT, status: TEXT, data_log: { type: "string" } }),
		act: storeLog,
	},

	// The link stays valid, because the screen offers to link another account.
	"POST /success": {
		body: object({ token: TEXT }),
		async act(app, { hash }, { token }) {
			require(hashOf(token) === hash, "token");
			await app.database.run(
				"UPDATE link SET done_at = $2 WHERE token_hash = $1 AND done_at IS NULL",
				hash,
				app.now().toISOString(),
			);
		},
	},

	"POST /cancel-integrations": {
		// The link says whose connections end. Its client may have no document, or a corrected one.
		async act(app, { client, hash }) {
			await end(app, client, hash);
		},
	},
};

/** Refuses what would lead to an item that nobody has authorised. @param {App} app @param {Link} link */
async function requireConsent(app, link) {
	const client = await connectingClient(app, link);
	const consent = await consentOf(app, client, link.hash);
	if (consent === undefined || consent.withdrawn_at !== null)
		throw new Refusal(403, "No consent");
}

/** Returns the client of a link that may connect. @param {App} app @param {Link} link */
async function connectingClient(app, link) {
	if (link.type === "cancel") throw new Refusal(403, "A cancel link");
	return clientOf(app, link);
}

/** Returns the client of a link. One who is not active can only withdraw. @param {App} app @param {Link} link */
async function clientOf({ database }, { client: uuid, type }) {
	const client = await clientByUuid(database, uuid);
	if (client === undefined) throw new Refusal(404, "Token not found");
	if (!client.isActive && type !== "cancel")
		throw new Refusal(403, "Client not active");
	return client;
}

/**
 * Stores an entry of the log, and the item that it names. Vincula sends an item again until it gets a 2xx: 429 makes it wait.
 * @param {App} app
 * @param {Link} link
 * @param {any} body
 */
async function storeLog(app, link, { type, status, data_log }) {
	/** @type {any} */
	let data;
	try {
		data = JSON.parse(data_log);
	} catch {
		throw new Refusal(422, "data_log is not JSON");
	}
	// Errors too: an item that awaits a second person is reported as an error only.
	const isEnd =
		type === "pluggy-widget-success" || type === "pluggy-widget-error";
	const item = isEnd ? itemId(data?.item?.id) : null;
	/** @type {Statement} */
	const store = [
		`INSERT INTO log (id, link, item, type, status, data, at) SELECT $1, $2, $3, $4, $5, $6, $7
		WHERE (SELECT count(*) FROM log WHERE link = $2) < ${MAX_ENTRIES} ON CONFLICT (id) DO NOTHING`,
		hashOf([link.hash, type, data_log].join()),
		link.hash,
		item,
		type,
		status,
		data_log,
		app.now().toISOString(),
	];
	// To which firm it was given is seen when the item is read. This does not wait for the table of clients.
	const consent = await app.database.get(
		"SELECT link FROM consent WHERE client = $1",
		link.client,
	);
	if (item !== null && link.mayNameItems && consent !== undefined) {
		await app.items.name(item, link.hash, [store]);
		void app.items.reconcileLater(item, PRIORITY.awaited);
	} else {
		await app.database.batch([store]);
		if (item !== null)
			app.log.warn({ item }, "only stored: its link has ended or no consent");
	}
}

/**
 * Pluggy's webhook. Its item is read; nothing else in its body is used.
 * @param {App} app
 * @param {{ itemId?: unknown, clientId?: unknown }} body
 */
export async function receiveHook(app, { itemId: id, clientId }) {
	if (clientId != null && clientId !== app.settings.credentials.clientId)
		throw new Refusal(401, "Not of this application");
	const item = itemId(id);
	// Not every event is about an item.
	if (item === null) return;
	await app.items.name(item, null);
	void app.items.reconcileLater(item);
}
