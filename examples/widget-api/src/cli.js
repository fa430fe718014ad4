/** The commands of the firm: `npm run link`, `items`, `leave`, `erase`, `delete` and `webhook`. */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import pino from "pino";
import { createApp } from "./app.js";
import {
	asShown,
	clientByDocument,
	clientByUuid,
	createClient,
} from "./clients.js";
import { itemId, reasonToUpdate } from "./items.js";
import { makeLink, revokeLinks } from "./links.js";
import { readSettings } from "./settings.js";

/** @import { App } from "./app.js" */

const USAGE = `usage:
  npm run link -- (--cnpj CNPJ | --cpf CPF) [options]     prints a link
    --client NAME creates the client, if there is none with this document
    --type TYPE   new (default), update: renews a bank connection, cancel: ends all of them
    --item ID     the bank connection to renew; needs no document
    --days DAYS   until the link expires (default 7); --days=-1 for one that has expired
    --replace     revokes the client's other links
  npm run items                                           lists all bank connections
    exit code 3: for at least one there is something to do
  npm run leave -- (--cnpj CNPJ | --cpf CPF | --item ID)  ends the firm's work for a client
  npm run erase -- (--cnpj CNPJ | --cpf CPF)              deletes all data of a client who has left
  npm run delete -- --item ID                             deletes a bank connection that has no client
  npm run webhook -- https://…/hooks/pluggy               registers the webhook at Pluggy, once`;

const OPTIONS = /** @type {const} */ ({
	client: { type: "string" },
	cnpj: { type: "string" },
	cpf: { type: "string" },
	type: { type: "string", default: "new" },
	item: { type: "string" },
	days: { type: "string", default: "7" },
	replace: { type: "boolean", default: false },
});

/** @typedef {ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"]} Values */

/** Each returns what to print. @type {Record<string, (app: App, values: Values, words: string[]) => Promise<string>>} */
const COMMANDS = { link, items, leave, erase, delete: deleteItem, webhook };

if (existsSync(".env")) process.loadEnvFile();
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
	console.error(USAGE);
	process.exitCode = 2;
}

/** @param {App} app @param {Values} values */
async function link(app, values) {
	const { type } = values;
	if (type !== "new" && type !== "update" && type !== "cancel")
		throw new Error("--type is none of new, update, cancel");
	const days = Number(values.days);
	if (!Number.isFinite(days)) throw new Error("--days is no number");
	const item = type === "update" ? await itemOf(app, values) : undefined;
	const client = await clientOf(app, { ...values, item: item?.id });
	if (values.replace) await revokeLinks(app, client);
	const options = { item: item?.id ?? null, hours: days * 24 };
	const token = await makeLink(app, client, type, options);
	return `${app.settings.productUrl}/?token=${token}`;
}

/** Returns the client of the item, else the one with the document. @param {App} app @param {Values} values */
async function clientOf({ database, items }, values) {
	if (values.item !== undefined) {
		const all = await items.existing();
		const item = all.find(({ id }) => id === itemId(values.item));
		const client = item?.client && (await clientByUuid(database, item.client));
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

/** Returns the item to renew. @param {App} app @param {Values} values */
async function itemOf(app, values) {
	const all = await app.items.existing();
	const id = itemId(values.item);
	const client = id === null ? await clientOf(app, values) : undefined;
	const items = all.filter(({ client: owner, consent, ...item }) =>
		id === null
			? owner === client?.uuid && consent !== null
			: item.id === id && owner !== null,
	);
	if (items.length === 1) return items[0];
	const list = items.map(({ id, bank }) => `  ${id}  ${bank}`).join("\n");
	throw new Error(
		`--item has to be one of the bank connections:\n${list || "  (none)"}`,
	);
}

/** @param {App} app */
async function items(app) {
	const rows = [];
	const tasks = [];
	for (const item of await app.items.existing()) {
		const client =
			item.client && (await clientByUuid(app.database, item.client));
		const day = (/** @type {string | null} */ time) =>
			time?.slice(0, 10) ?? "-";
		rows.push(
			[
				item.id,
				client ? client.name : "(no client)",
				item.bank ?? "-",
				item.withdrawn_at === null
					? (item.result ?? "not read yet")
					: "to be deleted",
				`last update ${day(item.last_updated_at)}`,
				`consent until ${day(item.consent_expires_at)}`,
			].join(" | "),
		);
		const reason = reasonToUpdate(item, app.now());
		if (item.status !== null && !client)
			tasks.push(`has no client\n  npm run delete -- --item ${item.id}`);
		else if (client?.isActive === false && item.withdrawn_at === null)
			tasks.push(`its client has left\n  npm run leave -- --item ${item.id}`);
		else if (reason !== undefined)
			tasks.push(
				`needs an update link: ${reason}\n  npm run link -- --type update --item ${item.id}`,
			);
	}
	if (tasks.length > 0) process.exitCode = 3;
	return [...rows, ...tasks].join("\n");
}

/** @param {App} app @param {Values} values */
async function leave(app, values) {
	const client = await clientOf(app, values);
	const count = await app.items.leave(client);
	return `The client is not active any more. Connections deleted at Pluggy: ${count}`;
}

/** @param {App} app @param {Values} values */
async function erase(app, values) {
	await app.items.erase(await clientOf(app, values));
	return "All data of the client are deleted";
}

/** @param {App} app @param {Values} values */
async function deleteItem({ items }, values) {
	await items.deleteApart(itemId(values.item) ?? "");
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
