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
// Invented items exist only in this process. A file that DATABASE names is never deleted.
if (settings.isDisposable)
	for (const end of ["", "-wal", "-shm", ".items.log"])
		rmSync(settings.database + end, { force: true });

const app = createApp(settings);
const server = createServer(app);
server.listen(settings.port, settings.host, async () => {
	const { address, port } = /** @type {AddressInfo} */ (server.address());
	console.log(`The example API is at http://${address}:${port}`);
	app.jobs.start();
	if (settings.isDisposable) await printDemoLinks(app);
	else if (settings.credentials === undefined)
		console.log("The banks are invented. `npm run link` makes links");
	else await checkCredentials(app);
});

/** Prints whether Pluggy accepts the credentials. This also reads the list of banks for the first client. */
async function checkCredentials(/** @type {App} */ app) {
	try {
		const banks = await app.pluggy.connectors();
		console.log(`Pluggy accepts the credentials: ${banks.length} banks`);
	} catch (error) {
		console.error(`Pluggy cannot be used. ${error}`);
	}
}

/** Creates two invented clients, and prints a link of each kind. */
async function printDemoLinks(/** @type {App} */ app) {
	const { database, pluggy } = app;
	const [bakery, person] = [
		["12.345.678/0001-95", "Padaria Exemplo Ltda"],
		["529.982.247-25", "Ana Exemplo"],
	].map(([document = "", name]) => clientByDocument(database, document, name));
	if (bakery === undefined || person === undefined)
		throw new Error("the clients were not created");
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
		// Requests that have begun are answered; idle connections are closed.
		await new Promise((resolve) => server.close(resolve));
		await app.jobs.stop();
		app.database.close();
		app.ledger.close();
		process.exit(0);
	});
