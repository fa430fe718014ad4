/** The API under test: in this process, on a free port, with a clock of its own, on the fake of Pluggy. */
import { Writable } from "node:stream";
import pino from "pino";
import { createApp } from "../src/app.js";
import { clientByDocument, createClient } from "../src/clients.js";
import { makeLink } from "../src/links.js";
import { createServer } from "../src/server.js";
import { readSettings } from "../src/settings.js";
import { LinkCalls } from "./link-calls.js";

const HOUR_MS = 3_600_000;

/** @typedef {Awaited<ReturnType<typeof startApi>>} Api */

/**
 * @param {Record<string, string>} env with the settings that lead to the fake
 * @param {Parameters<typeof createApp>[1]} options
 */
export async function startApi(env, options = {}) {
	const clock = { now: Date.now() };
	/** @type {any[]} */
	const lines = [];
	const stream = new Writable({
		write(chunk, _encoding, done) {
			lines.push(JSON.parse(String(chunk)));
			done();
		},
	});
	const settings = readSettings({ DATABASE_URL: ":memory:", ...env });
	const app = await createApp(settings, {
		now: () => new Date(clock.now),
		log: pino(stream),
		limits: { perSecond: 1_000 },
		...options,
	});
	const newClient = async (
		/** @type {string} */ document,
		name = "Ana Exemplo",
	) => {
		await createClient(app.database, document, name);
		const client = await clientByDocument(app.database, document);
		if (client === undefined) throw new Error("the client was not created");
		return client;
	};
	// Before it listens, so that a failure ends the tests.
	const client = await newClient("12.345.678/0001-95", "Padaria Exemplo Ltda");
	const server = createServer(app);
	const url = await server.listen({ port: 0, host: "127.0.0.1" });
	return {
		app,
		url,
		client,
		newClient,
		/** The lines of the log, as objects. */
		lines,
		/** The lines about an item. @param {string} id @returns {string[]} */
		linesOf: (id) =>
			lines.filter(({ item }) => item === id).map(({ msg }) => msg),
		/** @param {number} hours */
		pass: (hours) => {
			clock.now += hours * HOUR_MS;
		},
		/** Waits until nothing is being reconciled. */
		async settle() {
			while (app.items.running.size > 0)
				await Promise.allSettled(
					[...app.items.running.values()].map(({ result }) => result),
				);
		},
		sweep: () => app.items.sweep(),
		/** @param {Parameters<typeof makeLink>[2]} type @param {Parameters<typeof makeLink>[3]} options */
		async link(type = "new", options = {}, owner = client) {
			const token = await makeLink(app, owner, type, options);
			return new LinkCalls(url, token, owner);
		},
		/** A link whose client has consented. */
		async consentedLink(owner = client) {
			const link = await this.link("new", {}, owner);
			await link.consent();
			return link;
		},
		async stop() {
			server.server.closeAllConnections();
			await server.close();
			await this.settle();
			await app.database.close();
		},
	};
}
