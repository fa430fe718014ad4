/**
 * Calls Pluggy through its SDK (0.90.0), and adds what the SDK lacks: renewal of a key that Pluggy refuses, time limits, retries
 * and typed errors. The SDK prints every refusal to stderr, with the body of the response.
 */
import { setTimeout as pause } from "node:timers/promises";
import { PluggyClient } from "pluggy-sdk";

/** @import { Account, Connector, ConnectTokenOptions, Item } from "pluggy-sdk" */
/** @import { Settings } from "./settings.js" */

/** Limits of one request, and of a call with its retries. A client is waiting. */
const LIMIT_MS = { request: 10_000, call: 20_000 };

const FIRST_PAUSE_MS = 500;

/** The longest `Retry-After` that the SDK obeys. */
const LONGEST_PAUSE_MS = 5_000;

const BANKS_FRESH_MS = 3_600_000;

/** Pluggy refused, failed, or did not answer. */
export class PluggyError extends Error {
	/**
	 * @param {number | undefined} status HTTP's; undefined without an answer of Pluggy's
	 * @param {string | undefined} code Pluggy's `codeDescription`
	 * @param {string} message
	 */
	constructor(status, code, message) {
		super(message);
		this.status = status;
		this.code = code;
	}

	/**
	 * Makes one of what the SDK rejects with: the body of a refusal, or an error, which has the response of `POST /auth`.
	 * @param {unknown} cause
	 */
	static of(cause) {
		if (cause instanceof PluggyError) return cause;
		const isBody = !(cause instanceof Error);
		const body = isBody ? cause : /** @type {any} */ (cause).response?.body;
		const message = `Pluggy: ${body?.message ?? "no answer"}`;
		if (typeof body !== "object" || body === null)
			return new PluggyError(undefined, undefined, message);
		// Some refusals have no status in the body, and the SDK does not give the HTTP status.
		const status = typeof body.code === "number" ? body.code : 400;
		return new PluggyError(status, body.codeDescription, message);
	}

	/** Whether Pluggy refused the key. A 403 with a code is another refusal. */
	get isOfKey() {
		return (
			this.status === 401 || (this.status === 403 && this.code === undefined)
		);
	}

	get isTemporary() {
		return (
			this.status === undefined || this.status === 429 || this.status >= 500
		);
	}
}

/** The SDK with a key and our limits. */
class Client extends PluggyClient {
	/**
	 * Gets the key. Otherwise the SDK gets one with each of several first requests.
	 * @param {number} limitMs the longest time for a request
	 */
	async open(limitMs) {
		await this.getApiKey();
		// By default a request may take 30 s, and the SDK obeys a Retry-After of any length.
		const serviceInstance = /** @type {Client} */ (this).serviceInstance.extend(
			{
				timeout: limitMs,
				retry: { maxRetryAfter: LONGEST_PAUSE_MS },
			},
		);
		return Object.assign(this, { serviceInstance });
	}
}

/** The calls to Pluggy that this API makes. */
export class Pluggy {
	#settings;
	#now;
	#limits;
	/** @type {Promise<PluggyClient> | undefined} */
	#client;
	/** @type {{ at: number, list: Promise<Connector[]> } | undefined} */
	#banks;

	/**
	 * @param {Settings} settings
	 * @param {() => Date} now
	 * @param {typeof LIMIT_MS} limits
	 */
	constructor(settings, now, limits = LIMIT_MS) {
		this.#settings = settings;
		this.#now = now;
		this.#limits = limits;
	}

	/**
	 * Returns a token that opens Connect, valid for 30 minutes.
	 * @param {string | null} item the one to renew
	 * @param {ConnectTokenOptions & { products: string[] }} options
	 * @returns {Promise<string>}
	 */
	async connectToken(item, options) {
		const { accessToken } = await this.#ask((client) =>
			client.createConnectToken(item ?? undefined, options),
		);
		return accessToken;
	}

	/**
	 * Returns the banks that Connect offers. The list is cached for an hour.
	 * @returns {Promise<Connector[]>}
	 */
	connectors() {
		const now = this.#now().getTime();
		if (this.#banks === undefined || now - this.#banks.at > BANKS_FRESH_MS) {
			const list = this.#readConnectors();
			this.#banks = { at: now, list };
			list.catch(() => (this.#banks = undefined));
		}
		return this.#banks.list;
	}

	async #readConnectors() {
		/** @type {import("pluggy-sdk").ConnectorFilters} */
		const filters = {
			countries: ["BR"],
			types: ["PERSONAL_BANK", "BUSINESS_BANK"],
		};
		const asked = [{ ...filters, isOpenFinance: true }];
		const sandbox = { ...filters, sandbox: true };
		const pages = await Promise.all(
			(this.#settings.includeSandbox ? [...asked, sandbox] : asked).map((one) =>
				this.#ask((client) => client.fetchConnectors(one)),
			),
		);
		const all = pages.flatMap(({ results }) => results);
		const byId = new Map(all.map((connector) => [connector.id, connector]));
		return [...byId.values()].sort((one, other) =>
			one.name.localeCompare(other.name, "pt"),
		);
	}

	/**
	 * @param {string} id
	 * @returns {Promise<Item | undefined>} undefined if it is gone, or another application's
	 */
	async item(id) {
		try {
			return await this.#ask((client) => client.fetchItem(id));
		} catch (error) {
			if (error instanceof PluggyError && error.status === 404)
				return undefined;
			throw error;
		}
	}

	/**
	 * @param {string} item
	 * @returns {Promise<Account[]>}
	 */
	async accounts(item) {
		const { results } = await this.#ask((client) =>
			client.fetchAccounts(item, "BANK"),
		);
		return results;
	}

	/**
	 * Deletes an item. One that does not exist counts as deleted.
	 * @param {string} id
	 */
	async deleteItem(id) {
		try {
			await this.#ask((client) =>
				client.deleteItem(id).catch((cause) => {
					// The SDK rejects a 204 with undefined.
					if (cause !== undefined) throw cause;
				}),
			);
		} catch (error) {
			if (!(error instanceof PluggyError && error.status === 404)) throw error;
		}
	}

	/**
	 * Registers a webhook for all events, with a secret header.
	 * @param {string} url
	 * @param {string} secret
	 */
	async registerHook(url, secret) {
		const headers = { "X-Hook-Secret": secret };
		return this.#ask((client) => client.createWebhook("all", url, headers));
	}

	/**
	 * @template T
	 * @param {(client: PluggyClient) => Promise<T>} request
	 * @returns {Promise<T>}
	 */
	async #ask(request) {
		const end = performance.now() + this.#limits.call;
		let isKeyNew = false;
		for (let wait = FIRST_PAUSE_MS; ; wait *= 2) {
			const opened = this.#open();
			try {
				return await within(this.#limits.request, opened.then(request));
			} catch (cause) {
				const error = PluggyError.of(cause);
				if (error.isOfKey) {
					// All waiting requests share one new key: only the first of them drops the old one.
					if (this.#client === opened) this.#client = undefined;
					if (isKeyNew) throw error;
					isKeyNew = true;
				} else if (error.isTemporary && performance.now() + wait < end) {
					await pause(wait);
				} else {
					throw error;
				}
			}
		}
	}

	/** Returns the SDK with a key. The SDK renews the key by the key's own date. */
	#open() {
		const { credentials } = this.#settings;
		if (credentials === undefined) throw new Error("no credentials of Pluggy");
		if (this.#client === undefined) {
			const opened = new Client(credentials).open(this.#limits.request);
			opened.catch(() => {
				if (this.#client === opened) this.#client = undefined;
			});
			this.#client = opened;
		}
		return this.#client;
	}
}

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T>} result
 * @returns {Promise<T>}
 */
async function within(ms, result) {
	const timer = new AbortController();
	const late = pause(ms, undefined, { signal: timer.signal }).then(() => {
		throw new PluggyError(undefined, undefined, `no answer within ${ms} ms`);
	});
	try {
		return await Promise.race([result, late]);
	} finally {
		late.catch(() => {});
		timer.abort();
	}
}
