/** The commands of the firm: `npm run link`, `clients`, `leave`, `erase`, `delete` and `webhook`. */
import { parseArgs } from "node:util";
import pino from "pino";
import { createApp } from "./app.js";
import {
	allClients,
	asShown,
	clientByDocument,
	clientByUuid,
	createClient,
} from "./clients.js";
import * as ending from "./ending.js";
import { makeLink, revokeLinks } from "./links.js";
import { itemId, PluggyError } from "./pluggy.js";
import { loadEnvFile, readSettings } from "./settings.js";
import { taskOf } from "./tasks.js";

/** @import { App } from "./app.js" */

const USAGE = `usage:
  npm run link -- (--cnpj CNPJ | --cpf CPF) [options]     prints a link
    --client NAME creates the client, if there is none with this document
    --type TYPE   new (default), update: renews a bank connection, cancel: ends all of them
    --item ID     the bank connection to renew, or one of the client, in place of the document
    --days DAYS   until the link expires (default 7); --days=-1 for one that has expired
    --replace     revokes the client's other links
  npm run clients [-- --csv]                              lists all clients and their bank connections
    exit code 1: somebody has to act on at least one
  npm run leave -- (--cnpj CNPJ | --cpf CPF | --item ID)  ends the firm's work for a client
  npm run erase -- (--cnpj CNPJ | --cpf CPF)              deletes all data of a client who has left
  npm run delete -- --item ID                             deletes a bank connection without client or accounts
  npm run webhook -- https://…/hooks/pluggy               registers the webhook at Pluggy`;

const OPTIONS = /** @type {const} */ ({
	client: { type: "string" },
	cnpj: { type: "string" },
	cpf: { type: "string" },
	type: { type: "string", default: "new" },
	item: { type: "string" },
	days: { type: "string", default: "7" },
	replace: { type: "boolean", default: false },
	csv: { type: "boolean", default: false },
});

/** @typedef {ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"]} Values */

/** Each returns what to print. @type {Record<string, (app: App, values: Values, words: string[]) => Promise<string>>} */
const COMMANDS = { link, clients, leave, erase, delete: deleteItem, webhook };

loadEnvFile();
try {
	const { values, positionals } = parseArgs({
		options: OPTIONS,
		allowPositionals: true,
	});
	const [name = "", ...words] = positionals;
	const command = COMMANDS[name];
	if (command === undefined) throw new Error("no such command");
	const settings = readSettings();
	const app = await createApp(settings, { log: pino(pino.destination(2)) });
	try {
		console.log(await command(app, values, words));
	} finally {
		await app.database.close();
	}
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	if (!(error instanceof PluggyError)) console.error(USAGE);
	process.exitCode = 2;
}

/** @param {App} app @param {Values} values */
async function link(app, values) {
	const { type } = values;
	if (type !== "new" && type !== "update" && type !== "cancel")
		throw new Error("--type is none of new, update, cancel");
	const days = Number(values.days);
	if (!Number.isFinite(days)) throw new Error("--days is no number");
	const client = await clientOf(app, values);
	if (values.replace) await revokeLinks(app, client);
	const item = type === "update" ? itemId(values.item) : null;
	const options = { item, hours: days * 24 };
	const token = await makeLink(app, client, type, options);
	return `${app.settings.productUrl}/?token=${token}`;
}

/** Returns the client of the item, else the one with the document. @param {App} app @param {Values} values */
async function clientOf({ database }, values) {
	if (values.item !== undefined) {
		const id = itemId(values.item);
		const item = await database.get("SELECT * FROM item WHERE id = $1", id);
		const client = await clientByUuid(database, item?.client ?? null);
		if (client) return client;
		throw new Error("no client has this bank connection");
	}
	const document = asShown(values.cnpj ?? values.cpf ?? "");
	if (document === undefined)
		throw new Error("--cnpj or --cpf is missing, or its digits are wrong");
	if (values.client !== undefined)
		await createClient(database, document, values.client);
	const client = await clientByDocument(database, document);
	if (client === undefined)
		throw new Error("no client has this document: --client creates one");
	return client;
}

/** @param {App} app @param {Values} values */
async function clients(app, { csv }) {
	const { database, now } = app;
	const links = await database.all(
		`SELECT link.client, max(given_at) AS given_at, max(cancelled_at) AS cancelled_at,
			max(CASE WHEN cancelled_at IS NULL THEN given_at END) AS consented_at,
			max(CASE WHEN revoked_at IS NULL THEN expires_at END) AS expires_at
		FROM link LEFT JOIN consent ON consent.link = link.token_hash GROUP BY link.client`,
	);
	const all = await allClients(database);
	const uuids = all.map(({ uuid }) => uuid);
	// Your system may have deleted the client of a connection.
	const known = (await ending.existingItems(app))
		.filter(({ status }) => status)
		.map((item) =>
			uuids.includes(item.client) ? item : { ...item, client: null },
		);
	const nobody = {
		uuid: null,
		name: "(no client)",
		document: "",
		isActive: true,
	};
	const rows = [];
	for (const client of [...all, nobody]) {
		const state = stateOf(client, links, now());
		const head = [client.name, client.document, state];
		const own = known.filter((item) => item.client === client.uuid);
		for (const item of own) {
			const [reason, command] = taskOf(item, now(), client.isActive) ?? [];
			if (reason !== undefined) process.exitCode = 1;
			rows.push([
				...head,
				item.bank,
				item.id,
				item.withdrawn_at === null ? item.result : "to be deleted",
				`last update ${dayOf(item.last_updated_at)}`,
				`consent until ${dayOf(item.consent_expires_at)}`,
				...(reason ? [reason, `npm run ${command}`] : []),
			]);
		}
		if (own.length === 0 && client !== nobody) rows.push(head);
	}
	return rows.map((row) => (csv ? csvOf(row) : row.join(" | "))).join("\n");
}

/** @param {string | null} time */
function dayOf(time) {
	return time?.slice(0, 10) ?? "-";
}

/** Returns a line for a spreadsheet, which must not take a name for a formula. @param {string[]} cells */
function csvOf(cells) {
	const texts = cells.map((cell) => cell.replace(/^[=+@-]/, "'$&"));
	return texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(";");
}

/** @param {{ isActive: any, uuid: string | null }} client @param {any[]} links of all clients @param {Date} now */
function stateOf({ isActive, uuid }, links, now) {
	const link = links.find(({ client }) => client === uuid);
	if (uuid === null) return "of no client of this database";
	if (!isActive) return "has left";
	if (link?.consented_at) return `consented on ${dayOf(link.consented_at)}`;
	if (link?.cancelled_at) return `cancelled on ${dayOf(link.cancelled_at)}`;
	if (!link?.expires_at) return "has no link";
	const verb = link.expires_at > now.toISOString() ? "until" : "ended on";
	return `link ${verb} ${dayOf(link.expires_at)}, no consent`;
}

/** @param {App} app @param {Values} values */
async function leave(app, values) {
	const left = "The client is not active any more.";
	const client = await clientOf(app, values);
	try {
		const count = await ending.leave(app, client);
		return `${left} Connections deleted at Pluggy: ${count}`;
	} catch (error) {
		if (!(error instanceof PluggyError)) throw error;
		process.exitCode = 1;
		return `${left} Not all connections are deleted yet: ${error.message}. The API that runs tries again every minute`;
	}
}

/** @param {App} app @param {Values} values */
async function erase(app, values) {
	await ending.erase(app, await clientOf(app, values));
	return "All data of the client are deleted";
}

/** @param {App} app @param {Values} values */
async function deleteItem(app, values) {
	await ending.deleteUnused(app, itemId(values.item) ?? "");
	return "The connection is deleted at Pluggy";
}

/** @param {App} app @param {Values} _values @param {string[]} words */
async function webhook({ settings, pluggy }, _values, [url = ""]) {
	const { hookSecret } = settings;
	if (hookSecret === undefined || url === "")
		throw new Error(
			"the address or PLUGGY_WEBHOOK_SECRET (`openssl rand -hex 32`) is missing",
		);
	const { id } = await pluggy.registerHook(url, hookSecret);
	return `Pluggy will call ${url} (webhook ${id})`;
}
