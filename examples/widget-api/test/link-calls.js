/** @import { Client } from "../src/clients.js" */

/** The calls of one link, as Vincula makes them. Each returns status, message and data. */
export class LinkCalls {
	/** @param {string} url @param {string} token @param {Pick<Client, "uuid" | "document">} client */
	constructor(url, token, client) {
		this.url = url;
		this.token = token;
		this.client = client;
	}

	/**
	 * @param {string} method
	 * @param {string} path
	 * @param {unknown} [body]
	 * @param {Record<string, string>} [headers]
	 */
	async call(method, path, body, headers) {
		const answer = await fetch(`${this.url}/${path}`, {
			method,
			headers: {
				authorization: `Bearer ${this.token}`,
				...(body === undefined ? {} : { "content-type": "application/json" }),
				...headers,
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const { data, meta } = /** @type {any} */ (await answer.json());
		return { status: answer.status, message: meta.message, data };
	}

	/** @param {{ no_validate?: string }} more */
	validate(more = {}) {
		return this.call("POST", "validate-token", { token: this.token, ...more });
	}

	/** @param {Record<string, string>} headers */
	consent(headers = {}) {
		const body = { customer_id: 4711 };
		return this.call("POST", "authorize-customer", body, headers);
	}

	/** @returns {Promise<any[]>} */
	async rows() {
		return (await this.call("GET", "list-accounts")).data;
	}

	banks() {
		return this.call("GET", "list-banks");
	}

	/** @param {string | null} link_id */
	connectToken(link_id = null) {
		const body = { link_id, client_uuid: this.client.uuid };
		return this.call("POST", "connect-token", body);
	}

	/** @param {string} link */
	update(link) {
		return this.call("PUT", "update-link-account", { link });
	}

	/** @param {string} id */
	success(id) {
		return this.log("pluggy-widget-success", { item: { id } });
	}

	/** @param {string} type @param {unknown} data */
	log(type, data) {
		const status = type.endsWith("error") ? "ERROR" : "SUCCESS";
		const body = { type, status, data_log: JSON.stringify(data) };
		return this.call("POST", "log", body);
	}

	cancel() {
		const body = { cpfcnpj: this.client.document };
		return this.call("POST", "cancel-integrations", body);
	}
}
