/** Makes a link for a client, and prints it: `npm run link -- --client "Padaria Exemplo" --cnpj 12.345.678/0001-95`. */
import { parseArgs } from "node:util";
import { asShown, clientByDocument } from "./clients.js";
import { Database } from "./database.js";
import { makeLink, revokeLinks } from "./links.js";
import { readSettings } from "./settings.js";

const USAGE = `usage: npm run link -- (--cnpj CNPJ | --cpf CPF) [options]

  --client NAME creates the client, if there is none with this document
  --type TYPE   new (default), update: renews a bank connection, cancel: ends all of them
  --item ID     the bank connection to renew; may be left out where the client has one
  --days DAYS   until the link expires (default 7); --days=-1 for one that has expired
  --replace     revokes the client's other links`;

try {
	console.log(link());
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	console.error(USAGE);
	process.exitCode = 2;
}

function link() {
	const { values } = parseArgs({
		options: {
			client: { type: "string" },
			cnpj: { type: "string" },
			cpf: { type: "string" },
			type: { type: "string", default: "new" },
			item: { type: "string" },
			days: { type: "string", default: "7" },
			replace: { type: "boolean", default: false },
		},
	});
	const { client: name, type } = values;
	const document = asShown(values.cnpj ?? values.cpf ?? "");
	if (document === undefined)
		throw new Error("--cnpj or --cpf is missing, or too short or long");
	const days = Number(values.days);
	if (type !== "new" && type !== "update" && type !== "cancel")
		throw new Error("--type is none of new, update, cancel");
	if (!Number.isFinite(days)) throw new Error("--days is no number");
	const settings = readSettings();
	console.error(`database: ${settings.database}`);
	const database = new Database(settings.database);
	const app = { database, now: () => new Date() };
	const client = clientByDocument(database, document, name);
	if (client === undefined)
		throw new Error("--client is missing: no client has this document");
	const item =
		type === "update" ? itemOf(database, client.uuid, values.item) : null;
	if (values.replace) revokeLinks(app, client);
	const token = makeLink(app, client, type, { item, hours: days * 24 });
	database.close();
	return `${settings.productUrl}/?token=${token}`;
}

/**
 * Returns the item to renew.
 * @param {Database} database
 * @param {string} client
 * @param {string | undefined} given
 */
function itemOf(database, client, given) {
	const items = database.all(
		"SELECT id, bank FROM item WHERE client = ? AND state = 'active'",
		client,
	);
	const ids = items.map(({ id }) => id);
	if (given === undefined && ids.length === 1) return ids[0];
	if (given !== undefined && ids.includes(given)) return given;
	const list = items.map(({ id, bank }) => `  ${id}  ${bank}`).join("\n");
	throw new Error(
		`--item has to be one of the client's bank connections:\n${list || "  (none)"}`,
	);
}
