/** Starts the API: `npm start`. */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { adopt, sync } from "./adopt.js";
import { createApp } from "./app.js";
import { clientByDocument } from "./clients.js";
import { makeLink } from "./links.js";
import { PretendPluggy } from "./pretend.js";
import { createServer } from "./server.js";
import { readSettings } from "./settings.js";

/** @import { AddressInfo } from "node:net" */
/** @import { App } from "./app.js" */

const settings = readSettings();
// Invented items last as long as the process.
if (settings.credentials === undefined && settings.database !== ":memory:")
	for (const end of ["", "-wal", "-shm", ".items.log"])
		rmSync(settings.database + end, { force: true });

const app = createApp(settings);
const server = createServer(app);
server.listen(settings.port, settings.host, async () => {
	const { address, port } = /** @type {AddressInfo} */ (server.address());
	console.log(`The example API is at http://${address}:${port}`);
	app.jobs.start();
	if (app.pluggy instanceof PretendPluggy) await printDemoLinks(app);
	else await checkCredentials(app);
});

/** Whether Pluggy accepts the credentials. It also reads the list of banks, so that the first client does not wait for it. */
async function checkCredentials(/** @type {App} */ app) {
	try {
		const banks = await app.pluggy.connectors();
		console.log(`Pluggy accepts the credentials: ${banks.length} banks`);
	} catch (error) {
		console.error(`Pluggy cannot be used. ${error}`);
	}
}

/** The banks are invented, and so are two clients, with a link of each kind. */
async function printDemoLinks(/** @type {App} */ app) {
	const { database, pluggy } = app;
	const bakery = clientByDocument(
		database,
		"Padaria Exemplo Ltda",
		"12.345.678/0001-95",
	);
	const person = clientByDocument(database, "Ana Exemplo", "529.982.247-25");
	const item = randomUUID();
	if (pluggy instanceof PretendPluggy) pluggy.begin(item, person);
	await adopt(app, item, "");
	await sync(app, item);
	const tokens = {
		new: makeLink(app, bakery, "new"),
		update: makeLink(app, person, "update", { item }),
		cancel: makeLink(app, person, "cancel"),
		expired: makeLink(app, bakery, "new", { hours: -24 }),
	};
	for (const [name, token] of Object.entries(tokens))
		console.log(`  ${name.padEnd(8)} /?token=${token}`);
}

for (const signal of ["SIGINT", "SIGTERM"])
	process.once(signal, async () => {
		server.close();
		server.closeIdleConnections();
		await app.jobs.stop();
		app.database.close();
		app.ledger.close();
		process.exit(0);
	});
