/** Starts the API: `npm start`. */
import closeWithGrace from "close-with-grace";
import { createApp } from "./app.js";
import { createServer } from "./server.js";
import { loadEnvFile, readSettings } from "./settings.js";

/** @import { App } from "./app.js" */

const SWEEP_MS = 60_000;

/** After SIGTERM, how long requests may take that have begun. */
const GRACE_MS = 3_000;

// A log that nobody reads any more is no reason to end.
for (const stream of [process.stdout, process.stderr])
	stream.on("error", () => {});
loadEnvFile();
try {
	await start();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
}

async function start() {
	const app = await createApp(readSettings());
	const server = createServer(app);
	const { port, host } = app.settings;
	const address = await server.listen({ port, host });
	app.log.info(`listening at ${address}`);
	closeWithGrace({ delay: 3 * GRACE_MS }, async ({ err }) => {
		if (err) app.log.fatal(err.stack);
		setTimeout(() => server.server.closeAllConnections(), GRACE_MS).unref();
		await server.close();
		await app.database.close();
	});
	void checkCredentials(app);
	void app.items.sweep();
	setInterval(() => app.items.sweep(), SWEEP_MS);
}

/** Logs whether Pluggy accepts the credentials. This also reads the list of banks for the first client. */
async function checkCredentials(/** @type {App} */ { pluggy, log }) {
	try {
		const { length } = await pluggy.connectors();
		log.info(`Pluggy accepts the credentials: ${length} banks`);
	} catch (error) {
		const reason = error instanceof Error ? error.message : error;
		log.error(`Pluggy cannot be used: ${reason}`);
	}
}
