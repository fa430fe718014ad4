/** Pluggy's webhooks. They are stored, and their items are read; nothing else in a body is used. */
import { timingSafeEqual } from "node:crypto";
import { isUuid } from "./items.js";
import { hashOf } from "./links.js";
import { Refusal } from "./refusal.js";

/** @import { IncomingHttpHeaders } from "node:http" */
/** @import { App } from "./app.js" */

/**
 * @param {App} app
 * @param {string} text
 * @param {IncomingHttpHeaders} headers
 */
export function receive(app, text, headers) {
	const { settings, database, jobs, now } = app;
	const given = Buffer.from(hashOf(String(headers["x-hook-secret"])));
	// Hashes have equal lengths, which a comparison in constant time needs.
	const isOurs = settings.hookSecrets.some((secret) =>
		timingSafeEqual(given, Buffer.from(hashOf(secret))),
	);
	// Pluggy does not repeat after a 401.
	if (!isOurs) throw new Refusal(401, "No such secret");
	let event;
	try {
		event = JSON.parse(text);
	} catch {
		throw new Refusal(422, "Body is not JSON");
	}
	const { eventId, itemId, clientId } = Object(event);
	if (typeof eventId !== "string") throw new Refusal(422, "No eventId");
	if (clientId !== undefined && clientId !== settings.credentials?.clientId)
		throw new Refusal(401, "Not of this application");
	database.transaction(() => {
		const isNew = database.run(
			"INSERT INTO hook_event (id, body, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
			eventId,
			text,
			now().toISOString(),
		);
		if (isNew && isUuid(itemId)) jobs.add("adopt", itemId);
	});
}
