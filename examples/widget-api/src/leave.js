/**
 * Ends the firm's work for a client, with all connections: `npm run leave -- --cnpj 12.345.678/0001-95`. The API that runs
 * deletes them at Pluggy within seconds, or once it runs.
 */
import { parseArgs } from "node:util";
import { createApp } from "./app.js";
import { asShown, clientByDocument } from "./clients.js";
import { endClient } from "./items.js";
import { readSettings } from "./settings.js";

const USAGE = "usage: npm run leave -- (--cnpj CNPJ | --cpf CPF)";

try {
	console.log(leave());
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	console.error(USAGE);
	process.exitCode = 2;
}

function leave() {
	const { values } = parseArgs({
		options: { cnpj: { type: "string" }, cpf: { type: "string" } },
	});
	const document = asShown(values.cnpj ?? values.cpf ?? "");
	if (document === undefined)
		throw new Error("--cnpj or --cpf is missing, or too short or long");
	const settings = readSettings();
	console.error(`database: ${settings.database}`);
	const app = createApp(settings);
	try {
		const client = clientByDocument(app.database, document);
		if (client === undefined) throw new Error("no client has this document");
		const count = endClient(app, client);
		return `The client is not active any more. Connections to delete at Pluggy: ${count}`;
	} finally {
		app.database.close();
		app.ledger.close();
	}
}
