/**
 * Starts the API on the fake of Pluggy: `npm run demo`. Its client has a bank connection, and a link of each kind. Each
 * start begins with an empty database.
 */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { createApp } from "../src/app.js";
import { clientByDocument, createClient } from "../src/clients.js";
import { hashOf, makeLink } from "../src/links.js";
import { loadEnvFile, readSettings } from "../src/settings.js";
import { FakePluggy } from "./fake-pluggy.js";

const DATABASE = join(import.meta.dirname, "../data/demo.db");
for (const end of ["", "-wal", "-shm"]) rmSync(DATABASE + end, { force: true });

const fake = await new FakePluggy().start();
// They win over `.env`: your database has no items of the fake.
Object.assign(process.env, fake.settings, {
	DATABASE_URL: DATABASE,
	PLUGGY_WEBHOOK_SECRET: randomUUID(),
});
loadEnvFile();
await prepare();
await import("../src/main.js");

/** Creates the client with a connection, and prints the links. */
async function prepare() {
	const settings = readSettings();
	const app = await createApp(settings, { log: pino({ level: "silent" }) });
	const { database, items } = app;
	const { port, hookSecret: secret = "" } = settings;
	fake.hook = { url: `http://127.0.0.1:${port}/hooks/pluggy`, secret };
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
	await items.name(item, hashOf(first));
	await items.reconcile(item);
	for (const type of /** @type {const} */ (["new", "update", "cancel"])) {
		const options = { item: type === "update" ? item : null };
		const token = await makeLink(app, client, type, options);
		console.log(`  ${type.padEnd(6)} ${settings.productUrl}/?token=${token}`);
	}
	await database.close();
	console.log(`Pluggy is a fake. As a login in Connect would, this makes an item:
  curl -X POST ${fake.url}/fake/items`);
}
