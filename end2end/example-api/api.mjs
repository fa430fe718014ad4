/**
 * A widget API for Vincula, in memory: one firm, two banks, four links. An example to read, and a start for your own.
 * docs/widget-api.md says what each call is for and what to do at Pluggy; docs/widget-api.openapi.yaml has every field.
 *
 *   node end2end/example-api/api.mjs      # listens on 127.0.0.1:4000 (PORT) and prints its links
 */
import { randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";

const HOUR_MS = 3_600_000;
/** How long another person has to approve an account at the bank. */
const APPROVAL_MS = 15 * 24 * HOUR_MS;
/** Until an account is confirmed: at Pluggy it takes up to five minutes. */
const CONFIRMATION_MS = 3_000;
const MAX_BODY_BYTES = 32 * 1024;

const firm = { id: 4711, name: "Contábil Exemplo" };

const banks = [
	{ code: "001", name: "Banco do Brasil" },
	{ code: "260", name: "Nu Pagamentos" },
];

/**
 * A client of the firm. The uuid is Pluggy's `clientUserId`: opaque, never the document. Each item has one row of the list
 * here; at Pluggy it can have several accounts.
 */
const newClient = (name, document) => ({
	uuid: randomUUID(),
	name,
	document,
	consentAt: null,
	rows: new Map(),
});

const bakery = newClient("Padaria Exemplo Ltda", "12.345.678/0001-95");
const person = newClient("Ana Exemplo", "529.982.247-25");
const item = randomUUID();
person.rows.set(item, {
	bank: "Nu Pagamentos",
	agency: "0001",
	number: "7654321-0",
	name: "Ana Exemplo",
});

/** The links by token. A real API stores a hash of it, not the token. */
const links = new Map();

function newLink(client, type, { item = null, expiresIn = 24 * HOUR_MS } = {}) {
	const token = randomBytes(32).toString("base64url");
	links.set(token, {
		token,
		client,
		type,
		item,
		expiresAt: Date.now() + expiresIn,
		isCancelled: false,
	});
	return token;
}

const tokens = {
	new: newLink(bakery, "new"),
	update: newLink(person, "update", { item }),
	cancel: newLink(person, "cancel"),
	expired: newLink(bakery, "new", { expiresIn: -24 * HOUR_MS }),
};

/** Events of Connect: by idempotency key where there is one, so that a repetition is stored once. */
const events = new Map();

/** A refusal. `status` is HTTP's and `meta`'s; 404 is for an unknown token or item only. */
class Refusal extends Error {
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

/** Refuses an id or document in a body that is not the one of the link. */
function require(isRight, what) {
	if (!isRight) throw new Refusal(403, `${what} is not of this link`);
}

/** The calls: each takes the link, the body and the headers, and returns `data`. */
const calls = {
	"POST /validate-token": (link) => ({
		client_name: link.client.name,
		client_cpfcnpj: link.client.document,
		customer_id: firm.id,
		customer_name: firm.name,
		widget_account_admin_name: null,
		widget_account_admin_cpfcnpj: null,
		widget_type: link.type,
		widget_account_bank: null,
		// In a link of another type it would open Connect in update mode.
		link_id: link.item,
		client_uuid: link.client.uuid,
	}),

	"POST /authorize-customer": (link, { customer_id }) => {
		require(customer_id === firm.id, "customer_id");
		link.client.consentAt ??= new Date();
	},

	// Asked every 3 seconds by each open screen: answer from your own tables, never from Pluggy.
	"GET /list-accounts": (link) => [...link.client.rows.values()],

	"GET /list-banks": () => banks,

	"POST /connect-token": (link, { link_id, client_uuid }) => {
		require(link_id === link.item, "link_id");
		require(client_uuid === link.client.uuid, "client_uuid");
		// Here a real API asks Pluggy for a token, a new one each time, and returns its accessToken.
		return `example-${randomUUID()}`;
	},

	"PUT /update-link-account": (link, { link: item }) => {
		if (item !== link.item) throw new Refusal(404, "item not found");
	},

	"POST /log": (link, { type, status, data_log }, headers) => {
		const data = JSON.parse(data_log);
		events.set(headers["idempotency-key"] ?? randomUUID(), {
			type,
			status,
			data,
		});
		if (type === "pluggy-widget-success")
			adopt(link, data.item.id, { status: "confirming" });
		// Reported once, as an error, and perhaps never as a success.
		if (
			type === "pluggy-widget-error" &&
			data.item &&
			data.message?.includes("USER_AUTHORIZATION_PENDING")
		) {
			const by = new Date(Date.now() + APPROVAL_MS).toISOString();
			adopt(link, data.item.id, {
				status: "awaiting_approval",
				approve_by: by,
			});
		}
	},

	"POST /success": (link, { token }) => {
		// The link stays valid: the screen offers to link another account.
		require(token === link.token, "token");
	},

	"POST /cancel-integrations": (link, { cpfcnpj }) => {
		const { client } = link;
		require(cpfcnpj === client.document, "cpfcnpj");
		// First everything of ours, in one transaction; a job deletes the items at Pluggy afterwards.
		client.consentAt = null;
		client.rows.clear();
		for (const other of links.values())
			if (other.client === client) other.isCancelled = true;
	},
};

/** What a link that the client has cancelled may still do: a repetition, and the id of an item that comes late. */
const AFTER_CANCELLATION = [
	"POST /validate-token",
	"GET /list-accounts",
	"POST /log",
	"POST /cancel-integrations",
];

/** A real API asks Pluggy for the item: `clientUserId` says whose it is, its statuses what it waits for. */
function adopt({ client, isCancelled }, item, wait) {
	// After a cancellation a real API deletes the item.
	if (isCancelled) return;
	const known = client.rows.get(item);
	const isApproved =
		known?.status === "awaiting_approval" && wait.status === "confirming";
	if (known !== undefined && !isApproved) return;
	const row = {
		bank: "Banco do Brasil",
		agency: "",
		number: "",
		name: client.name,
		...wait,
	};
	client.rows.set(item, row);
	if (wait.status === "confirming")
		setTimeout(confirm, CONFIRMATION_MS, row, client.rows.size);
}

/** A real API does this once the item's accounts are there. */
function confirm(row, place) {
	Object.assign(row, {
		agency: "0001",
		number: `${String(place).padStart(6, "0")}-0`,
	});
	delete row.status;
}

/** The link of a request: named in the body by validate-token, by the bearer token in all other calls. */
function linkOf(call, body, headers) {
	const isEntry = call === "POST /validate-token";
	const token = isEntry
		? body.token
		: /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1];
	if (token === undefined) throw new Refusal(401, "No token");
	const link = links.get(token);
	if (link === undefined) throw new Refusal(404, "Token not found");
	// Who was at the bank meanwhile may still finish.
	if (
		link.expiresAt +
			(isEntry && body.no_validate !== "of-success" ? 0 : 2 * HOUR_MS) <
		Date.now()
	) {
		throw new Refusal(401, "Expired token");
	}
	if (link.isCancelled && !AFTER_CANCELLATION.includes(call))
		throw new Refusal(403, "Integrations cancelled");
	return link;
}

async function bodyOf(request) {
	const chunks = [];
	let bytes = 0;
	for await (const chunk of request) {
		bytes += chunk.length;
		if (bytes > MAX_BODY_BYTES) throw new Refusal(413, "Body too large");
		chunks.push(chunk);
	}
	const text = Buffer.concat(chunks).toString();
	try {
		return text === "" ? {} : Object(JSON.parse(text));
	} catch {
		throw new Refusal(422, "Body is not JSON");
	}
}

async function answer(request) {
	const call = `${request.method} ${request.url}`;
	if (!Object.hasOwn(calls, call)) throw new Refusal(400, "No such call");
	const body = await bodyOf(request);
	return (
		calls[call](linkOf(call, body, request.headers), body, request.headers) ??
		null
	);
}

const server = createServer(async (request, response) => {
	let [status, message, data] = [200, "OK", null];
	try {
		data = await answer(request);
	} catch (error) {
		[status, message] =
			error instanceof Refusal
				? [error.status, error.message]
				: [500, "Internal error"];
		if (status === 500) console.error(error);
	}
	// The support code that a client may read out. Never log tokens or documents.
	console.log(
		`${request.method} ${request.url} ${status} ${request.headers["x-request-id"] ?? ""}`,
	);
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify({ data, meta: { status, message } }));
});

server.listen(Number(process.env.PORT ?? 4000), "127.0.0.1", () => {
	console.log(
		`The example API is at http://127.0.0.1:${server.address().port}`,
	);
	for (const [name, token] of Object.entries(tokens))
		console.log(`  ${name.padEnd(8)} /?token=${token}`);
});
