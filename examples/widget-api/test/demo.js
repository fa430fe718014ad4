/** What `npm start` needs without credentials: the fake of Pluggy, a client with a bank connection, and links. */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { clientByDocument, createClient } from "../src/clients.js";
import { hashOf, makeLink } from "../src/links.js";
import { FakePluggy } from "./fake-pluggy.js";

/** @import { App } from "../src/app.js" */

const DATABASE = join(import.meta.dirname, "../data/fake.db");

const fake = new FakePluggy();

/** Starts the fake with an empty database, and sets the settings that lead to both. */
export async function startFake() {
	for (const end of ["", "-wal", "-shm"])
		rmSync(DATABASE + end, { force: true });
	await fake.start();
	Object.assign(process.env, fake.settings, {
		DATABASE_URL: DATABASE,
		PLUGGY_WEBHOOK_SECRET: randomUUID(),
	});
}

/**
 * Creates a client with one connection, and prints a link of each kind.
 * @param {App} app
 * @param {string} address of the API
 */
export async function printLinks(app, address) {
	const { database, settings } = app;
	const { hookSecret: secret = "" } = settings;
	fake.hook = { url: `${address}/hooks/pluggy`, secret };
	const document = "12.345.678/0001-95";
	await createClient(database, document, "Padaria Exemplo");
	const client = await clientByDocument(database, document);
	if (client === undefined) throw new Error("the client was not created");
	const first = await makeLink(app, client, "new");
	await database.run(
		"INSERT INTO consent (link, client, firm, given_at, evidence) VALUES ($1, $2, $3, $4, '{}')",
		hashOf(first),
		client.uuid,
		String(settings.firm.id),
		app.now().toISOString(),
	);
	const item = fake.addItem(client.uuid).id;
	fake.addAccount(item);
	await app.items.name(item, hashOf(first));
	await app.items.reconcile(item);
	for (const type of /** @type {const} */ (["new", "update", "cancel"])) {
		const options = { item: type === "update" ? item : null };
		const token = await makeLink(app, client, type, options);
		console.log(`  ${type.padEnd(6)} ${settings.productUrl}/?token=${token}`);
	}
	console.log(`Pluggy is a fake. As a login in Connect would, this makes an item:
  curl -X POST ${fake.url}/fake/items`);
}
