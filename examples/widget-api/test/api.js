/** The API under test: in this process, on a free port, with a clock of its own. Its jobs run when a test says so. */
import { createApp } from "../src/app.js";
import { clientByDocument } from "../src/clients.js";
import { makeLink } from "../src/links.js";
import { createServer } from "../src/server.js";
import { readSettings } from "../src/settings.js";

/** @import { AddressInfo } from "node:net" */

const HOUR_MS = 3_600_000;

// Request lines, alerts, and what the SDK writes of every refusal.
console.log = console.error = () => {};

/** @param {Record<string, string>} env */
export async function startApi(env = {}) {
	const clock = { now: Date.now() };
	const settings = readSettings({
		DATABASE: ":memory:",
		FIRM_ID: "4711",
		FIRM_NAME: "Contábil Exemplo",
		...env,
	});
	const app = createApp(settings, () => new Date(clock.now));
	/** @type {string[]} */
	const alerts = [];
	app.alert = (text) => alerts.push(text);
	const server = createServer(app);
	await new Promise((resolve) =>
		server.listen(0, "127.0.0.1", () => resolve(undefined)),
	);
	const { port } = /** @type {AddressInfo} */ (server.address());
	const url = `http://127.0.0.1:${port}`;
	const newClient = (/** @type {string} */ document, name = "Ana Exemplo") => {
		const client = clientByDocument(app.database, document, name);
		if (client === undefined) throw new Error("the client was not created");
		return client;
	};
	const client = newClient("12.345.678/0001-95", "Padaria Exemplo Ltda");
	return {
		app,
		alerts,
		url,
		client,
		newClient,
		/** @param {number} hours */
		pass: (hours) => {
			clock.now += hours * HOUR_MS;
		},
		runJobs: () => app.jobs.run(),
		/** @param {Parameters<typeof makeLink>[2]} type @param {Parameters<typeof makeLink>[3]} options */
		link: (type = "new", options = {}, owner = client) =>
			new LinkCalls(url, makeLink(app, owner, type, options), owner.uuid),
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await app.jobs.stop();
			app.database.close();
			app.ledger.close();
		},
	};
}

/** The calls of one link, as Vincula makes them. Each returns status, message and data. */
export class LinkCalls {
	/** @param {string} url @param {string} token @param {string} clientUuid */
	constructor(url, token, clientUuid) {
		this.url = url;
		this.token = token;
		this.clientUuid = clientUuid;
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
				"content-type": "application/json",
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

	async rows() {
		return (await this.call("GET", "list-accounts")).data;
	}

	/** @param {string | null} link_id */
	connectToken(link_id = null) {
		const body = { link_id, client_uuid: this.clientUuid };
		return this.call("POST", "connect-token", body);
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
		const body = { cpfcnpj: "12.345.678/0001-95" };
		return this.call("POST", "cancel-integrations", body);
	}
}
