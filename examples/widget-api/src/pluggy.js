/** Calls Pluggy: one key for all requests, limits of time and rate, retries, and typed errors. */
import { setTimeout as pause } from "node:timers/promises";
import PQueue from "p-queue";

/** @import { Account, Connector, ConnectTokenOptions, Item, Webhook } from "pluggy-sdk" */
/** @import { Settings } from "./settings.js" */

/**
 * `request` and `call` are the longest times of one request, and of a call with its retries, while a client is waiting. Pluggy
 * allows an address 360 requests a minute for `/accounts`, and as many for `/auth`; `perSecond` is for all requests together. With
 * several processes, divide it by their number.
 */
const LIMITS = { request: 10_000, call: 20_000, perSecond: 5 };

/**
 * Which request goes first while requests wait for their turn: a deletion, what a call waits for, an item that its client waits
 * for, and any other reading.
 */
export const PRIORITY = { deletion: 3, call: 2, awaited: 1, reading: 0 };

const FIRST_PAUSE_MS = 500;

const BANKS_FRESH_MS = 3_600_000;

/** Pluggy refused, failed, or did not answer. */
export class PluggyError extends Error {
	/**
	 * @param {string} message
	 * @param {number} [status] HTTP's; undefined without an answer
	 * @param {string} [code] Pluggy's `codeDescription`
	 */
	constructor(message, status, code) {
		super(message);
		this.status = status;
		this.code = code;
	}

	/** Whether Pluggy refused the key. A 403 with a code is another refusal. */
	get isOfKey() {
		return (
			this.status === 401 || (this.status === 403 && this.code === undefined)
		);
	}

	/** Whether Pluggy has no such item. A 404 without a code is another's, as at a wrong PLUGGY_API_URL. */
	get isOfItem() {
		return this.status === 404 && this.code !== undefined;
	}

	/** Whether it may help to repeat the request soon. After a 429, Pluggy names a minute. */
	get isTemporary() {
		const { status = 500 } = this;
		return status < 300 || status >= 500;
	}
}

/** The calls to Pluggy that this API makes. */
export class Pluggy {
	#settings;
	#now;
	#limits;
	#queue;
	/** All requests share a key until Pluggy refuses it. @type {Promise<string> | undefined} */
	#key;
	/** @type {{ at: number, list: Promise<Connector[]> } | undefined} */
	#banks;

	/** @param {Settings} settings @param {() => Date} now @param {Partial<typeof LIMITS>} limits */
	constructor(settings, now, limits = {}) {
		this.#settings = settings;
		this.#now = now;
		this.#limits = { ...LIMITS, ...limits };
		this.#queue = new PQueue({
			interval: 1_000,
			intervalCap: this.#limits.perSecond,
			strict: true,
		});
	}

	/**
	 * Returns a token that opens Connect, valid for 30 minutes.
	 * @param {string | null} item the one to renew
	 * @param {ConnectTokenOptions} options
	 * @returns {Promise<string>}
	 */
	async connectToken(item, options) {
		const body = { ...(item === null ? {} : { itemId: item }), options };
		const made = await this.#ask(PRIORITY.call, "POST /connect_token", body);
		if (typeof made?.accessToken !== "string")
			throw new PluggyError("Pluggy answers without a connect token");
		return made.accessToken;
	}

	/** Returns the banks that Connect offers. The list is cached for an hour. @returns {Promise<Connector[]>} */
	connectors() {
		const now = this.#now().getTime();
		const age = now - (this.#banks?.at ?? 0);
		if (this.#banks === undefined || age < 0 || age > BANKS_FRESH_MS) {
			const list = this.#readConnectors();
			this.#banks = { at: now, list };
			list.catch(() => (this.#banks = undefined));
		}
		return this.#banks.list;
	}

	async #readConnectors() {
		const path = "/connectors?countries=BR&types=PERSONAL_BANK,BUSINESS_BANK";
		const paths = [`${path}&isOpenFinance=true`];
		if (this.#settings.includeSandbox) paths.push(`${path}&sandbox=true`);
		const lists = await Promise.all(
			paths.map((one) => this.#list(PRIORITY.call, one)),
		);
		/** @type {Connector[]} */
		const all = lists
			.flat()
			.filter((one) => one?.id && typeof one.name === "string");
		const byId = new Map(all.map((connector) => [connector.id, connector]));
		return [...byId.values()].sort((one, other) =>
			one.name.localeCompare(other.name, "pt"),
		);
	}

	/**
	 * @param {string} id
	 * @param {number} priority
	 * @returns {Promise<Item | undefined>} undefined if Pluggy does not return it, or it is another application's
	 */
	async item(id, priority) {
		const item = await unlessGone(this.#ask(priority, `GET /items/${id}`));
		if (item !== undefined && String(item?.id).toLowerCase() !== id)
			throw new PluggyError("Pluggy answers with another item");
		return item;
	}

	/** Returns all accounts of an item. @param {string} item @param {number} priority @returns {Promise<Account[]>} */
	accounts(item, priority) {
		return this.#list(priority, `/accounts?itemId=${item}`);
	}

	/** Deletes an item. One that does not exist counts as deleted. @param {string} id */
	async deleteItem(id) {
		await unlessGone(this.#ask(PRIORITY.deletion, `DELETE /items/${id}`));
	}

	/**
	 * Registers a webhook for all events, with a secret header. One of the same address gets the new secret: with two, each event
	 * would come twice.
	 * @param {string} url
	 * @param {string} secret
	 */
	async registerHook(url, secret) {
		const headers = { "X-Hook-Secret": secret };
		const body = { event: "all", url, headers };
		/** @type {Webhook[]} */
		const all = await this.#list(PRIORITY.call, "/webhooks?");
		const known = all.find((hook) => hook?.url === url);
		if (known === undefined)
			return this.#ask(PRIORITY.call, "POST /webhooks", body);
		// Pluggy may have disabled it.
		const changed = { ...body, enabled: true };
		return this.#ask(PRIORITY.call, `PATCH /webhooks/${known.id}`, changed);
	}

	/**
	 * Returns all pages of a list.
	 * @throws {PluggyError} also without one of them: what it has would seem to be gone
	 * @param {number} priority
	 * @param {string} path with a query
	 */
	async #list(priority, path) {
		const all = [];
		for (let number = 1, count = 1; number <= count; number += 1) {
			const more = number === 1 ? "" : `&page=${number}`;
			const page = await this.#ask(priority, `GET ${path}${more}`);
			const isOther = number > 1 && page?.page !== number;
			if (isOther || !Array.isArray(page?.results))
				throw new PluggyError(
					`Pluggy answers without page ${number} of a list`,
				);
			all.push(...page.results);
			count = page.totalPages;
		}
		return all;
	}

	/**
	 * Makes a request, with a new key and again if that may help.
	 * @throws {PluggyError}
	 * @param {number} priority
	 * @param {string} request method and path
	 * @param {object} [body]
	 */
	async #ask(priority, request, body) {
		const end = performance.now() + this.#limits.call;
		let isKeyNew = false;
		for (let wait = FIRST_PAUSE_MS; ; wait *= 2) {
			this.#key ??= this.#newKey();
			const key = this.#key;
			try {
				const headers = { "x-api-key": await key };
				return await this.#send(priority, request, body, headers);
			} catch (error) {
				if (!(error instanceof PluggyError)) throw error;
				if (error.isOfKey && !isKeyNew) {
					isKeyNew = true;
					if (this.#key === key) this.#key = undefined;
				} else if (error.isTemporary && performance.now() + wait < end) {
					await pause(wait);
				} else {
					throw error;
				}
			}
		}
	}

	/** @returns {Promise<string>} */
	#newKey() {
		const body = { ...this.#settings.credentials, nonExpiring: false };
		const key = this.#send(PRIORITY.deletion, "POST /auth", body).then((made) =>
			String(made?.apiKey),
		);
		key.catch(() => {
			if (this.#key === key) this.#key = undefined;
		});
		return key;
	}

	/**
	 * Makes one request when it is its turn, and returns the body of the response.
	 * @throws {PluggyError}
	 * @param {number} priority
	 * @param {string} request method and path
	 * @param {object} [body]
	 * @param {Record<string, string>} [headers]
	 * @returns {Promise<any>}
	 */
	#send(priority, request, body, headers = {}) {
		const [method, path] = request.split(" ");
		const json = { "content-type": "application/json" };
		const attempt = async () => {
			let response;
			let text;
			try {
				response = await fetch(this.#settings.pluggyUrl + path, {
					method,
					headers: body === undefined ? headers : { ...headers, ...json },
					body: body === undefined ? null : JSON.stringify(body),
					redirect: "error",
					// Also while the body is read.
					signal: AbortSignal.timeout(this.#limits.request),
				});
				text = await response.text();
			} catch (cause) {
				const error = /** @type {any} */ (cause);
				const reason = error.cause?.code ?? error.message;
				throw new PluggyError(`Pluggy does not answer: ${reason}`);
			}
			return read(response.status, text);
		};
		return this.#queue.add(attempt, { priority });
	}
}

/** Returns the body of a response. @throws {PluggyError} if it is no success @param {number} status @param {string} text */
function read(status, text) {
	let body;
	try {
		body = text === "" ? null : JSON.parse(text);
	} catch {
		throw new PluggyError(`Pluggy answers ${status} without JSON`, status);
	}
	if (status < 300) return body;
	const code = body?.codeDescription;
	const message = `Pluggy answers ${status} ${code ?? ""}`;
	throw new PluggyError(message.trimEnd(), status, code);
}

/**
 * @template T
 * @param {Promise<T>} result
 * @returns {Promise<T | undefined>}
 */
async function unlessGone(result) {
	try {
		return await result;
	} catch (error) {
		if (error instanceof PluggyError && error.isOfItem) return undefined;
		throw error;
	}
}

/** The form of Pluggy's ids. An item's id comes from a browser and becomes part of an address, so it must have this form. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns an item's id as it is stored, or null if it is none. @param {unknown} id */
export function itemId(id) {
	const lower = typeof id === "string" ? id.toLowerCase() : "";
	return UUID.test(lower) ? lower : null;
}

/** Whether an item waits for a second person. @param {Item} item */
export function awaitsApproval({ executionStatus, statusDetail, ...item }) {
	const warnings = Object.values(statusDetail ?? {}).flatMap(
		(product) => product?.warnings ?? [],
	);
	// Pluggy's SDK has neither the field nor the code.
	return (
		executionStatus === "USER_AUTHORIZATION_PENDING" ||
		("hasResourcesPendingAuthorization" in item &&
			item.hasResourcesPendingAuthorization === true) ||
		warnings.some((warning) => String(warning?.code) === "002")
	);
}

/**
 * Returns branch and number of an account: the last two parts of `260/0001/06809695-5`.
 * @param {Pick<Account, "bankData" | "number">} account
 * @returns {[agency: string, number: string]}
 */
export function placeOf({ bankData, number }) {
	const text = textOf(bankData?.transferNumber) || textOf(number);
	const parts = text.split("/");
	return [parts.at(-2) ?? "", parts.at(-1) ?? ""];
}

/** Returns a text of Pluggy's. Any may be missing, null or a number. PostgreSQL takes no NUL. @param {unknown} value */
export const textOf = (value) =>
	typeof value === "string" || typeof value === "number"
		? String(value).replaceAll("\0", "")
		: "";

/** Returns a time of Pluggy's, or null if it is none. @param {unknown} value */
export function timeOf(value) {
	const time = new Date(textOf(value));
	return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
