/**
 * Pluggy's REST API, as far as the example uses it, from the types of its SDK and its public documentation. It is strict: a
 * path, key, header or parameter that it does not know is refused, and kept in `strays`.
 *
 *   node test/fake-pluggy.js      # listens on 127.0.0.1 (PORT) and prints the settings that lead to it
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** @import { AddressInfo } from "node:net" */
/** @import { Account, Connector, ConnectTokenOptions, Item, WebhookEvent } from "pluggy-sdk" */

export const CLIENT_ID = "7a1e9b52-0000-4000-8000-00000000c1d1";
export const CLIENT_SECRET = "fake-secret";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HOUR_S = 3_600;

/** @typedef {{ status: number, body: unknown, headers?: Record<string, string> }} Answer */
/** @typedef {{ query: URLSearchParams, body: any, id: string }} Request */

/** @type {(status: number, codeDescription: string | undefined, message: string) => Answer} */
const refusal = (status, codeDescription, message) => ({
	status,
	body: { code: status, codeDescription, message },
});

const NO_KEY = refusal(
	403,
	undefined,
	"Missing or invalid authorization token",
);

/**
 * @param {number} id
 * @param {string} name
 * @param {Partial<Connector>} more
 * @returns {Connector}
 */
const connector = (id, name, more = {}) => ({
	id,
	name,
	institutionUrl: "https://bank.example",
	imageUrl: "https://bank.example/logo.svg",
	primaryColor: "112233",
	type: "PERSONAL_BANK",
	country: "BR",
	credentials: [],
	hasMFA: false,
	oauth: true,
	health: { status: "ONLINE", stage: null },
	isOpenFinance: true,
	isSandbox: false,
	supportsPaymentInitiation: false,
	supportsScheduledPayments: false,
	supportsSmartTransfers: false,
	supportsAutomaticPix: false,
	supportsBoletoManagement: false,
	products: ["ACCOUNTS", "TRANSACTIONS"],
	createdAt: new Date("2024-01-01T00:00:00.000Z"),
	...more,
});

const CONNECTORS = [
	connector(612, "Nubank"),
	connector(601, "Itaú"),
	connector(619, "Itaú Empresas", { type: "BUSINESS_BANK" }),
	connector(823, "Corretora Exemplo", { type: "INVESTMENT" }),
	connector(201, "Itaú direto", { isOpenFinance: false }),
	connector(2, "Pluggy Bank", {
		isOpenFinance: false,
		isSandbox: true,
		oauth: false,
	}),
];

/** The states of an item that an integration meets. */
export const STATES = /** @type {const} */ ({
	updating: ["UPDATING", "ACCOUNTS_IN_PROGRESS"],
	merging: ["MERGING", "SUCCESS"],
	updated: ["UPDATED", "SUCCESS"],
	partial: ["UPDATED", "PARTIAL_SUCCESS"],
	pending: ["OUTDATED", "USER_AUTHORIZATION_PENDING"],
	waitingInput: ["WAITING_USER_INPUT", "WAITING_USER_INPUT"],
	waitingAction: ["WAITING_USER_ACTION", "WAITING_USER_ACTION"],
	loginError: ["LOGIN_ERROR", "INVALID_CREDENTIALS"],
	outdated: ["OUTDATED", "SITE_NOT_AVAILABLE"],
	// A status that Pluggy may have one day.
	unknown: /** @type {[any, any]} */ (["RESTING", "RESTING"]),
});

export class FakePluggy {
	connectors = [...CONNECTORS];
	/** @type {Map<string, Item>} */
	items = new Map();
	/** @type {Map<string, Account[]>} by item */
	accounts = new Map();
	/** What connect tokens were made with, by token. @type {Map<string, { itemId?: string, options: any }>} */
	connectTokens = new Map();
	/** @type {{ id: string, url: string, headers: Record<string, string>, enabled?: boolean }[]} */
	webhooks = [];
	/** All requests, as `GET /items`. @type {string[]} */
	requests = [];
	/** Requests outside the API. @type {string[]} */
	strays = [];
	/** What begins each connect token: a scenario of Connect's stand-in. */
	scenario = "success";
	/** The status of a deletion. @type {200 | 204} */
	deletionStatus = 200;
	/** The answer to everything but `POST /auth`, while there is one. @type {Answer | undefined} */
	outage;
	/** How many accounts or connectors a page has. */
	pageSize = 500;
	/** How long each answer takes. */
	delayMs = 0;
	/** Each request waits for this. @type {(name: string) => Promise<void>} */
	onRequest = async () => {};
	/** Where the webhook of an item that is made by hand goes. @type {{ url: string, secret: string } | undefined} */
	hook;
	/** @type {{ count: number, retryAfter: number } | undefined} */
	#limit;
	/** @type {Set<string>} */
	#keys = new Set();
	#server = createServer((request, response) => {
		void this.#serve(request).then(({ status, body, headers }) => {
			response.writeHead(status, {
				"content-type": "application/json",
				...headers,
			});
			response.end(status === 204 ? undefined : JSON.stringify(body));
		});
	});

	/** @param {number} port */
	async start(port = 0) {
		await new Promise((resolve) =>
			this.#server.listen(port, "127.0.0.1", () => resolve(undefined)),
		);
		return this;
	}

	stop() {
		this.#server.close();
		this.#server.closeAllConnections();
	}

	get url() {
		const { port } = /** @type {AddressInfo} */ (this.#server.address());
		return `http://127.0.0.1:${port}`;
	}

	/** The settings that lead a program here. */
	get settings() {
		return {
			PLUGGY_API_URL: this.url,
			PLUGGY_CLIENT_ID: CLIENT_ID,
			PLUGGY_CLIENT_SECRET: CLIENT_SECRET,
		};
	}

	/** How often a request was made. @param {string} name as `GET /items` */
	count(name) {
		return this.requests.filter((request) => request === name).length;
	}

	/** Withdraws all API keys before their date, as Pluggy does after two hours by its own clock. */
	expireKeys() {
		this.#keys.clear();
	}

	/** Refuses the next requests as too many. @param {number} count @param {number} retryAfter in seconds */
	limit(count, retryAfter) {
		this.#limit = { count, retryAfter };
	}

	/**
	 * An item, as Connect makes one.
	 * @param {string | null} clientUserId
	 * @param {keyof typeof STATES} state
	 * @param {Partial<Item>} more
	 */
	addItem(clientUserId, state = "updated", more = {}) {
		const [status, executionStatus] = STATES[state];
		const now = new Date();
		/** @type {Item} */
		const item = {
			id: randomUUID(),
			connector: connector(612, "Nubank"),
			status,
			statusDetail: null,
			error: null,
			executionStatus,
			createdAt: now,
			updatedAt: now,
			lastUpdatedAt: null,
			parameter: null,
			webhookUrl: null,
			clientUserId,
			userAction: null,
			consecutiveFailedLoginAttempts: 0,
			nextAutoSyncAt: null,
			consentExpiresAt: null,
			...more,
		};
		this.items.set(item.id, item);
		this.accounts.set(item.id, []);
		return item;
	}

	/**
	 * A later state of an item.
	 * @param {string} id
	 * @param {keyof typeof STATES} state
	 * @param {Partial<Item>} more
	 */
	moveItem(id, state, more = {}) {
		const item = this.items.get(id);
		if (item === undefined) throw new Error(`no item ${id}`);
		const [status, executionStatus] = STATES[state];
		const updatedAt = new Date(item.updatedAt.getTime() + 1_000);
		Object.assign(item, { status, executionStatus, updatedAt, ...more });
	}

	/**
	 * @param {string} itemId
	 * @param {Partial<Account>} more
	 */
	addAccount(itemId, more = {}) {
		/** @type {Account} */
		const account = {
			id: randomUUID(),
			itemId,
			type: "BANK",
			subtype: "CHECKING_ACCOUNT",
			number: "0001/12345-0",
			balance: 1_209.5,
			name: "Conta Corrente",
			marketingName: "GOLD Conta Corrente",
			owner: "Padaria Exemplo Ltda",
			taxNumber: "12.345.678/0001-95",
			currencyCode: "BRL",
			bankData: {
				transferNumber: "260/0001/12345-0",
				closingBalance: 1_209.5,
				automaticallyInvestedBalance: null,
				overdraftContractedLimit: null,
				overdraftUsedLimit: null,
				unarrangedOverdraftAmount: null,
				hasReservedBalance: null,
				reservedBalances: null,
			},
			creditData: null,
			...more,
		};
		this.accounts.get(itemId)?.push(account);
		return account;
	}

	/** The connect token that was made last, with its options. */
	get lastConnectToken() {
		const [token, made] = [...this.connectTokens].at(-1) ?? [];
		return { token, ...made };
	}

	/**
	 * Sends a notification, and returns the status of the answer.
	 * @param {string} url
	 * @param {WebhookEvent} event
	 * @param {string} itemId
	 * @param {{ eventId?: string, headers?: Record<string, string>, clientId?: string }} options
	 */
	async notify(
		url,
		event,
		itemId,
		{ eventId = randomUUID(), headers = {}, clientId = CLIENT_ID } = {},
	) {
		const body = { id: itemId, eventId, event, itemId, clientId };
		const answer = await fetch(url, {
			method: "POST",
			headers: { "content-type": "application/json", ...headers },
			body: JSON.stringify({ ...body, triggeredBy: "USER" }),
		});
		return answer.status;
	}

	/**
	 * @param {import("node:http").IncomingMessage} request
	 * @returns {Promise<Answer>}
	 */
	async #serve(request) {
		const { method = "", headers } = request;
		const { pathname, searchParams } = new URL(request.url ?? "/", this.url);
		const [, first = "", id = "", ...rest] = pathname.split("/");
		const name = `${method} /${first}`;
		this.requests.push(name);
		await this.onRequest(name);
		let text = "";
		for await (const chunk of request) text += chunk;
		if (name === "POST /fake" && id === "items")
			return this.#makeItem(searchParams);
		// An answer that is still delayed at the end does not keep the process.
		if (this.delayMs > 0) await pause(this.delayMs, undefined, { ref: false });
		if (this.outage !== undefined && first !== "auth") return this.outage;
		if (this.#limit !== undefined && this.#limit.count > 0) {
			this.#limit.count -= 1;
			const answer = refusal(429, "TOO_MANY_REQUESTS", "Too many requests");
			const retryAfter = String(this.#limit.retryAfter);
			return { ...answer, headers: { "retry-after": retryAfter } };
		}
		const stray = (/** @type {string} */ why) => {
			this.strays.push(`${method} ${pathname}: ${why}`);
			return refusal(400, "BAD_REQUEST", why);
		};
		if (text !== "" && !headers["content-type"]?.includes("application/json"))
			return stray("a body that is not JSON");
		const route = this.#routes[`${name}${id === "" ? "" : "/:id"}`];
		if (route === undefined || rest.length > 0) return stray("no such path");
		const { keys = {}, query = {}, act } = route;
		if (name !== "POST /auth") {
			const key = String(headers["x-api-key"]);
			if (!this.#keys.has(key) || isPast(key)) return NO_KEY;
		}
		const body = text === "" ? {} : JSON.parse(text);
		const wrong =
			wrongKey(keys, body) ??
			wrongKey(query, Object.fromEntries(searchParams)) ??
			(id !== "" && !UUID.test(id) ? "id" : undefined);
		if (wrong !== undefined) return stray(`${wrong} is not valid`);
		return act({ query: searchParams, body, id });
	}

	/**
	 * `POST /fake/items`, which is not Pluggy's: makes an item with an account, as a login in Connect does, for the client of the
	 * last connect token, or of `clientUserId`. `state` is one of `STATES`.
	 * @param {URLSearchParams} query
	 * @returns {Promise<Answer>}
	 */
	async #makeItem(query) {
		const { options } = this.lastConnectToken;
		const client = query.get("clientUserId") ?? options?.clientUserId;
		if (client === undefined)
			return refusal(409, undefined, "No connect token: open Connect first");
		const state = query.get("state") ?? "updated";
		if (!Object.hasOwn(STATES, state))
			return refusal(400, undefined, `state: ${Object.keys(STATES)}`);
		const { id } = this.addItem(
			client,
			/** @type {keyof typeof STATES} */ (state),
		);
		this.addAccount(id);
		const headers = { "x-hook-secret": this.hook?.secret ?? "" };
		const webhook =
			this.hook &&
			(await this.notify(this.hook.url, "item/created", id, { headers }).catch(
				() => "no answer",
			));
		return { status: 201, body: { id, webhook } };
	}

	/** @type {Record<string, { keys?: Shape, query?: Shape, act: (request: Request) => Answer }>} */
	#routes = {
		"POST /auth": {
			keys: { clientId: isText, clientSecret: isText, nonExpiring: isBoolean },
			act: ({ body }) => {
				if (body.clientId !== CLIENT_ID || body.clientSecret !== CLIENT_SECRET)
					return refusal(
						401,
						"CLIENT_KEYS_UNAUTHORIZED",
						"Client keys are invalid",
					);
				const apiKey = newKey(2 * HOUR_S);
				this.#keys.add(apiKey);
				return { status: 200, body: { apiKey } };
			},
		},
		"POST /connect_token": {
			keys: { "itemId?": isText, options: isObject },
			act: ({ body }) => {
				/** @type {Record<keyof ConnectTokenOptions, Check>} */
				const known = {
					clientUserId: isText,
					avoidDuplicates: isBoolean,
					oauthRedirectUri: isPublic,
					webhookUrl: isPublic,
					connectorSortAlphabetically: isBoolean,
				};
				const optional = Object.entries(known).map(([key, check]) => [
					`${key}?`,
					check,
				]);
				const wrong = wrongKey(Object.fromEntries(optional), body.options);
				if (wrong !== undefined)
					return refusal(400, "BAD_REQUEST", `${wrong} is not valid`);
				if (body.itemId !== undefined && !this.items.has(body.itemId))
					return refusal(404, "ITEM_NOT_FOUND", "Item not found");
				const accessToken = `${this.scenario}.${randomUUID()}`;
				this.connectTokens.set(accessToken, body);
				return { status: 200, body: { accessToken } };
			},
		},
		"GET /connectors": {
			query: {
				"countries?": isText,
				"types?": isText,
				"name?": isText,
				"sandbox?": isBooleanText,
				"isOpenFinance?": isBooleanText,
				"page?": isText,
			},
			act: ({ query }) => {
				const types = query.get("types")?.split(",");
				const isOpenFinance = query.get("isOpenFinance");
				const results = this.connectors.filter(
					(one) =>
						(types === undefined || types.includes(one.type)) &&
						one.isSandbox === (query.get("sandbox") === "true") &&
						(isOpenFinance === null ||
							String(one.isOpenFinance) === isOpenFinance),
				);
				return { status: 200, body: page(results, this.pageSize, query) };
			},
		},
		"GET /items/:id": {
			act: ({ id }) => {
				const item = this.items.get(id);
				return item === undefined
					? refusal(404, "ITEM_NOT_FOUND", "Item not found")
					: { status: 200, body: item };
			},
		},
		"DELETE /items/:id": {
			act: ({ id }) => {
				if (!this.items.delete(id))
					return refusal(404, "ITEM_NOT_FOUND", "Item not found");
				this.accounts.delete(id);
				return { status: this.deletionStatus, body: { count: 1 } };
			},
		},
		"GET /accounts": {
			query: { itemId: isText, "type?": isText, "page?": isText },
			act: ({ query }) => {
				const accounts = this.accounts.get(query.get("itemId") ?? "");
				if (accounts === undefined)
					return refusal(404, "ITEM_NOT_FOUND", "Item not found");
				const type = query.get("type");
				const results = accounts.filter(
					(account) => type === null || account.type === type,
				);
				return { status: 200, body: page(results, this.pageSize, query) };
			},
		},
		"GET /webhooks": {
			query: { "page?": isText },
			act: ({ query }) => ({
				status: 200,
				body: page(this.webhooks, this.pageSize, query),
			}),
		},
		"PATCH /webhooks/:id": {
			keys: {
				"event?": isText,
				"url?": isPublic,
				"headers?": isObject,
				"enabled?": isBoolean,
			},
			act: ({ id, body }) => {
				const hook = this.webhooks.find((one) => one.id === id);
				if (hook === undefined)
					return refusal(404, "WEBHOOK_NOT_FOUND", "Webhook not found");
				return { status: 200, body: Object.assign(hook, body) };
			},
		},
		"POST /webhooks": {
			keys: { event: isText, url: isPublic, "headers?": isObject },
			act: ({ body: { url, headers } }) => {
				const id = randomUUID();
				this.webhooks.push({ id, url, headers });
				return { status: 200, body: { id, url, event: "all" } };
			},
		},
	};
}

/** @typedef {(value: any) => boolean} Check */
/** @typedef {Record<string, Check>} Shape a `?` at the end of a key marks one that may be missing */

/** @type {Check} */
function isText(value) {
	return typeof value === "string" && value !== "";
}
/** @type {Check} */
function isBoolean(value) {
	return typeof value === "boolean";
}
/** @type {Check} */
function isBooleanText(value) {
	return value === "true" || value === "false";
}
/** @type {Check} */
function isObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** A public HTTPS address on the usual port. @type {Check} */
function isPublic(value) {
	if (!URL.canParse(value)) return false;
	const { protocol, port, hostname } = new URL(value);
	return (
		protocol === "https:" &&
		port === "" &&
		/[a-z]/.test(hostname) &&
		hostname !== "localhost"
	);
}

/**
 * The first key that is missing, unknown or not valid.
 * @param {Shape} shape
 * @param {Record<string, unknown>} object
 */
function wrongKey(shape, object) {
	const names = new Set();
	for (const [key, isRight] of Object.entries(shape)) {
		const name = key.replace("?", "");
		names.add(name);
		const isThere = Object.hasOwn(object, name);
		if (isThere ? !isRight(object[name]) : name === key) return name;
	}
	return Object.keys(object).find((key) => !names.has(key));
}

/** @param {unknown[]} results @param {number} size @param {URLSearchParams} query */
function page(results, size, query) {
	const number = Number(query.get("page") ?? 1);
	return {
		page: number,
		total: results.length,
		totalPages: Math.ceil(results.length / size),
		results: results.slice((number - 1) * size, number * size),
	};
}

/** An API key with a date. @param {number} seconds */
function newKey(seconds) {
	const exp = Math.floor(Date.now() / 1000) + seconds;
	const parts = [
		{ alg: "HS256", typ: "JWT" },
		{ exp, jti: randomUUID() },
	];
	const encoded = parts.map((part) =>
		Buffer.from(JSON.stringify(part)).toString("base64url"),
	);
	return [...encoded, "fake"].join(".");
}

/** @param {string} key */
function isPast(key) {
	const payload = Buffer.from(key.split(".")[1] ?? "", "base64url");
	return JSON.parse(payload.toString()).exp * 1000 < Date.now();
}

if (process.argv[1] === import.meta.filename) {
	const fake = await new FakePluggy().start(Number(process.env.PORT ?? 0));
	const url = process.env.WEBHOOK_URL ?? "http://127.0.0.1:4000/hooks/pluggy";
	fake.hook = { url, secret: "fake-hook-secret" };
	const settings = {
		...fake.settings,
		PLUGGY_WEBHOOK_SECRET: fake.hook.secret,
		// Never the database of another Pluggy, whose items this one does not have.
		DATABASE_URL:
			process.env.DATABASE_URL ??
			join(mkdtempSync(join(tmpdir(), "fake-pluggy-")), "api.db"),
	};
	for (const [name, value] of Object.entries(settings))
		console.log(`export ${name}='${value}'`);
}
