/**
 * Calls Pluggy through its SDK (0.90.0), and adds what the SDK lacks: one key for all requests, renewal of a key that Pluggy
 * refuses, limits of time and rate, retries and typed errors.
 */
import { setTimeout as pause } from "node:timers/promises";
import PQueue, { TimeoutError } from "p-queue";
import { PluggyClient } from "pluggy-sdk";

/** @import { Account, Connector, ConnectTokenOptions, Item } from "pluggy-sdk" */
/** @import { Settings } from "./settings.js" */

/**
 * `request` and `call` are the longest times of one request, and of a call with its retries, while a client is waiting. Pluggy
 * allows 360 requests a minute and address: with several processes, divide `perSecond` by their number.
 */
const LIMITS = { request: 10_000, call: 20_000, perSecond: 5 };

/**
 * Which request goes first while requests wait for their turn: a deletion, what a call waits for, an item that its client waits
 * for, and any other reading.
 */
export const PRIORITY = { deletion: 3, call: 2, awaited: 1, reading: 0 };

const FIRST_PAUSE_MS = 500;

/** The longest `Retry-After` that is obeyed. After a longer one the call fails. */
const LONGEST_PAUSE_MS = 5_000;

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

	/** Makes one of the error that a request ended with. @param {unknown} cause */
	static of(cause) {
		if (cause instanceof TimeoutError)
			return new PluggyError("Pluggy does not answer in time");
		const { response, code } = /** @type {any} */ (cause);
		if (response === undefined)
			return new PluggyError(`Pluggy does not answer: ${code ?? cause}`);
		const { codeDescription } = Object(response.body);
		const text = `Pluggy answers ${response.statusCode} ${codeDescription ?? ""}`;
		return new PluggyError(
			text.trimEnd(),
			response.statusCode,
			codeDescription,
		);
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

	/** Whether it may help to repeat the request. The SDK has repeated it already after a 429. */
	get isTemporary() {
		return this.status === undefined || this.status >= 500;
	}
}

/**
 * Returns the SDK, with what it lacks. Its types hide the members that this needs.
 * @param {Settings} settings
 * @param {number} timeout of a request
 */
function createSdk({ credentials, pluggyUrl }, timeout) {
	const sdk = /** @type {any} */ (new PluggyClient(credentials));
	sdk.baseUrl = pluggyUrl;
	sdk.serviceInstance = sdk.getServiceInstance().extend({
		timeout,
		retry: { maxRetryAfter: LONGEST_PAUSE_MS },
		hooks: {
			// The SDK prints the body of an HTTP error, and loses its status. Any other error is passed on with the response.
			beforeError: [
				(/** @type {Error & { code: string }} */ { message, code }) =>
					Object.assign(new Error(message), { code }),
			],
			// The SDK takes only 200 for a success.
			afterResponse: [
				(/** @type {{ statusCode: number }} */ response) => {
					if (response.statusCode < 300) response.statusCode = 200;
					return response;
				},
			],
		},
	});
	// All requests share a key until Pluggy refuses it. The SDK compares its date with this machine's clock.
	const getNewKey = sdk.getApiKey.bind(sdk);
	/** @type {Promise<string> | undefined} */
	let newKey;
	sdk.getApiKey = async () => {
		if (sdk.apiKey !== undefined) return sdk.apiKey;
		newKey ??= getNewKey().finally(() => {
			newKey = undefined;
		});
		return newKey;
	};
	return sdk;
}

/** The calls to Pluggy that this API makes. */
export class Pluggy {
	#settings;
	#now;
	#limits;
	#sdk;
	#queue;
	/** @type {{ at: number, list: Promise<Connector[]> } | undefined} */
	#banks;

	/** @param {Settings} settings @param {() => Date} now @param {Partial<typeof LIMITS>} limits */
	constructor(settings, now, limits = {}) {
		this.#settings = settings;
		this.#now = now;
		this.#limits = { ...LIMITS, ...limits };
		this.#sdk = createSdk(settings, this.#limits.request);
		this.#queue = new PQueue({
			interval: 1_000,
			intervalCap: this.#limits.perSecond,
		});
	}

	/**
	 * Returns a token that opens Connect, valid for 30 minutes; undefined if the item is gone.
	 * @param {string | null} item the one to renew
	 * @param {ConnectTokenOptions & { products: string[] }} options
	 */
	async connectToken(item, options) {
		const made = this.#ask(PRIORITY.call, (sdk) =>
			sdk.createConnectToken(item ?? undefined, options),
		);
		return (await unlessGone(made))?.accessToken;
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
		/** @type {import("pluggy-sdk").ConnectorFilters} */
		const filters = {
			countries: ["BR"],
			types: ["PERSONAL_BANK", "BUSINESS_BANK"],
		};
		const asked = [{ ...filters, isOpenFinance: true }];
		const sandbox = { ...filters, sandbox: true };
		const pages = await Promise.all(
			(this.#settings.includeSandbox ? [...asked, sandbox] : asked).map((one) =>
				this.#ask(PRIORITY.call, (sdk) => sdk.fetchConnectors(one)),
			),
		);
		const all = pages
			.flatMap(({ results }) => results)
			.filter((one) => one?.id && typeof one.name === "string");
		const byId = new Map(all.map((connector) => [connector.id, connector]));
		return [...byId.values()].sort((one, other) =>
			one.name.localeCompare(other.name, "pt"),
		);
	}

	/**
	 * @param {string} id
	 * @param {number} priority
	 * @returns {Promise<Item | undefined>} undefined if it is gone, or another application's
	 */
	item(id, priority) {
		return unlessGone(this.#ask(priority, (sdk) => sdk.fetchItem(id)));
	}

	/** Returns the accounts of an item, and whether these are all. @param {string} item @param {number} priority */
	async accounts(item, priority) {
		/** @type {{ results?: Account[] | null, totalPages?: number }} */
		const { results, totalPages = 1 } = await this.#ask(priority, (sdk) =>
			sdk.fetchAccounts(item),
		);
		return { accounts: results ?? [], areAll: totalPages <= 1 };
	}

	/** Deletes an item. One that does not exist counts as deleted. @param {string} id */
	async deleteItem(id) {
		await unlessGone(this.#ask(PRIORITY.deletion, (sdk) => sdk.deleteItem(id)));
	}

	/** Registers a webhook for all events, with a secret header. @param {string} url @param {string} secret */
	registerHook(url, secret) {
		return this.#ask(PRIORITY.call, (sdk) =>
			sdk.createWebhook("all", url, { "X-Hook-Secret": secret }),
		);
	}

	/**
	 * @template T
	 * @param {number} priority
	 * @param {(sdk: PluggyClient) => Promise<T>} request
	 * @returns {Promise<T>}
	 */
	async #ask(priority, request) {
		const sdk = this.#sdk;
		const end = performance.now() + this.#limits.call;
		let isKeyNew = false;
		for (let wait = FIRST_PAUSE_MS; ; wait *= 2) {
			let key = "";
			const attempt = async () => {
				key = await sdk.getApiKey();
				return request(sdk);
			};
			try {
				return await this.#queue.add(attempt, {
					priority,
					timeout: this.#limits.request,
				});
			} catch (cause) {
				const error = PluggyError.of(cause);
				if (error.isOfKey && !isKeyNew) {
					isKeyNew = true;
					if (sdk.apiKey === key) sdk.apiKey = undefined;
				} else if (error.isTemporary && performance.now() + wait < end) {
					await pause(wait);
				} else {
					throw error;
				}
			}
		}
	}
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
