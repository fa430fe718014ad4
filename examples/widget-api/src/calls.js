/**
 * The nine calls that Vincula makes. Each function takes the link, the body and the headers, and returns `data`.
 * docs/widget-api.md explains them; docs/widget-api.openapi.yaml has every field.
 */
import { iso, store } from "./adopt.js";
import { endAll, isUuid, leave, listRows } from "./items.js";
import { hashOf } from "./links.js";
import { PretendPluggy } from "./pretend.js";
import { Refusal, require } from "./refusal.js";

/** @import { IncomingHttpHeaders } from "node:http" */
/** @import { App } from "./app.js" */
/** @import { Link } from "./links.js" */
/** @import { PluggyError } from "./pluggy.js" */

/** @typedef {(app: App, link: Link, body: any, headers: IncomingHttpHeaders) => unknown} Call */

const EVIDENCE = [
	"consent-client-address",
	"consent-browser",
	"consent-text-version",
];

/** @type {Record<string, Call>} */
export const calls = {
	"POST /validate-token": ({ settings: { firm } }, { client, type, item }) => ({
		client_name: client.name,
		client_cpfcnpj: client.document,
		customer_id: firm.id,
		customer_name: firm.name,
		widget_account_admin_name: null,
		widget_account_admin_cpfcnpj: null,
		widget_type: type,
		widget_account_bank: null,
		// Null unless the link is an update: an id opens Connect in update mode.
		link_id: item,
		client_uuid: client.uuid,
	}),

	"POST /authorize-customer": (app, { hash, client }, body, headers) => {
		require(body.customer_id === app.settings.firm.id, "customer_id");
		const evidence = EVIDENCE.filter((name) => headers[name] !== undefined);
		app.database.run(
			`INSERT INTO consent (client, link, given_at, evidence, request_id) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`,
			client.uuid,
			hash,
			app.now().toISOString(),
			JSON.stringify(
				Object.fromEntries(evidence.map((name) => [name, headers[name]])),
			),
			headers["x-request-id"] ?? null,
		);
	},

	// Each open screen asks every 3 seconds, so this never calls Pluggy.
	"GET /list-accounts": (app, { client, isCancelled }) =>
		isCancelled ? [] : listRows(app, client),

	"GET /list-banks": async ({ pluggy }) => {
		const connectors = await pluggy.connectors();
		return connectors.map((connector) => ({
			code: "code" in connector ? connector.code : String(connector.id),
			name: connector.name,
		}));
	},

	"POST /connect-token": async (app, link, { link_id, client_uuid }) => {
		require(link_id === link.item, "link_id");
		require(client_uuid === link.client.uuid, "client_uuid");
		const { productUrl, products } = app.settings;
		if (link.item !== null) {
			const item = await app.pluggy.item(link.item);
			if (item === undefined) throw new Refusal(404, "item not found");
			// If it is still the same after the update, nothing has changed.
			app.database.run(
				"UPDATE link SET item_updated_at = ? WHERE token_hash = ?",
				iso(item.updatedAt),
				link.hash,
			);
		}
		return app.pluggy.connectToken(link.item, {
			clientUserId: link.client.uuid,
			// For a new item, Pluggy would refuse it because of one that we no longer know.
			avoidDuplicates: link.item !== null,
			products,
			// Pluggy accepts public addresses only. A bank's app cannot return to a product on this machine.
			...(productUrl.startsWith("https://")
				? { oauthRedirectUri: `${productUrl}/?of-success` }
				: {}),
		});
	},

	"PUT /update-link-account": async (app, link, { link: id }) => {
		const { client, hash } = link;
		const item = isUuid(id) ? await app.pluggy.item(id) : undefined;
		if (item === undefined || item.clientUserId !== client.uuid)
			throw new Refusal(404, "item not found");
		const again = store(app, item, client.uuid);
		if (again !== undefined) app.jobs.add("adopt", id, { at: again });
		if (link.item !== null && id !== link.item) {
			// Connect made another item instead.
			app.database.transaction(() => {
				leave(app, [String(link.item)]);
				app.database.run(
					"UPDATE link SET item = ? WHERE token_hash = ?",
					id,
					hash,
				);
			});
		} else if (link.itemUpdatedAt === iso(item.updatedAt)) {
			throw new Refusal(409, "no changes");
		}
	},

	"POST /log": (app, link, { type, status, data_log }) => {
		const { client, hash } = link;
		const data = JSON.parse(data_log);
		const isEnd =
			type === "pluggy-widget-success" || type === "pluggy-widget-error";
		const id = isEnd && isUuid(data?.item?.id) ? data.item.id : null;
		app.database.transaction(() => {
			// Vincula sends an item again until it gets a 2xx.
			app.database.run(
				`INSERT INTO log (link, item, type, status, data, at) VALUES (?, ?, ?, ?, ?, ?)
				ON CONFLICT DO NOTHING`,
				hash,
				id,
				type,
				status,
				data_log,
				app.now().toISOString(),
			);
			// Errors too: an item that awaits a second person is reported as an error only.
			if (id !== null) app.jobs.add("adopt", id, { claimedBy: client.uuid });
		});
		if (app.pluggy instanceof PretendPluggy && id !== null) {
			const isPending = String(data.message).includes(
				"USER_AUTHORIZATION_PENDING",
			);
			if (type === "pluggy-widget-success" || isPending)
				app.pluggy.reported(id, client, isPending);
		}
	},

	// The link stays valid, because the screen offers to link another account.
	"POST /success": (app, { hash }, { token }) => {
		require(hashOf(token) === hash, "token");
		app.database.run(
			"UPDATE link SET done_at = ? WHERE token_hash = ? AND done_at IS NULL",
			app.now().toISOString(),
			hash,
		);
	},

	"POST /cancel-integrations": (app, { client, isCancelled }, { cpfcnpj }) => {
		require(cpfcnpj === client.document, "cpfcnpj");
		// A repetition must not end what the client linked with a newer link.
		if (isCancelled) return;
		app.database.transaction(() => endAll(app, client));
	},
};

/**
 * Turns an error of Pluggy's into a refusal, because Vincula does not understand Pluggy's own.
 * @param {PluggyError} error
 */
export function refusalOf(error) {
	return error.status === 404
		? new Refusal(404, "item not found")
		: new Refusal(502, "Pluggy does not answer");
}
