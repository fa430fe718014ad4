/**
 * Invented banks, used without credentials. An item exists once the log of Connect names it, belongs to the client whose
 * link did, and has one account three seconds later.
 */
import { randomUUID } from "node:crypto";

/** @import { Account, Item } from "pluggy-sdk" */

/** At Pluggy this takes up to five minutes. */
const CONFIRMATION_MS = 3_000;

const BANKS = [
	{ id: 1, code: "001", name: "Banco do Brasil" },
	{ id: 2, code: "260", name: "Nu Pagamentos" },
];

/** @typedef {{ client: string, bank: string, createdAt: Date, awaitsApproval: boolean, place: number, owner: string }} Invented */

export class PretendPluggy {
	#now;
	/** @type {Map<string, Invented>} */
	#items = new Map();

	/** @param {() => Date} now */
	constructor(now) {
		this.#now = now;
	}

	/**
	 * Creates an item that Connect has reported. Pluggy itself needs no such call.
	 * @param {string} id
	 * @param {import("./clients.js").Client} client
	 * @param {boolean} awaitsApproval
	 */
	reported(id, client, awaitsApproval) {
		const known = this.#items.get(id);
		if (known !== undefined && !known.awaitsApproval) return;
		this.#items.set(id, {
			client: client.uuid,
			owner: client.name,
			bank: "Banco do Brasil",
			createdAt: this.#now(),
			awaitsApproval,
			place: known?.place ?? this.#items.size + 1,
		});
	}

	/**
	 * Creates a connection that exists from the start.
	 * @param {string} id
	 * @param {import("./clients.js").Client} client
	 */
	begin(id, client) {
		const createdAt = new Date(this.#now().getTime() - 30 * 24 * 3_600_000);
		this.#items.set(id, {
			client: client.uuid,
			owner: client.name,
			bank: "Nu Pagamentos",
			createdAt,
			awaitsApproval: false,
			place: 7_654_321,
		});
	}

	async connectToken() {
		return `example-${randomUUID()}`;
	}

	async connectors() {
		return BANKS;
	}

	/**
	 * @param {string} id
	 * @returns {Promise<Item | undefined>}
	 */
	async item(id) {
		const item = this.#items.get(id);
		if (item === undefined) return undefined;
		const isDone =
			!item.awaitsApproval &&
			this.#now().getTime() >= item.createdAt.getTime() + CONFIRMATION_MS;
		return /** @type {Item} */ ({
			id,
			connector: { name: item.bank },
			clientUserId: item.client,
			status: isDone ? "UPDATED" : "UPDATING",
			executionStatus: item.awaitsApproval
				? "USER_AUTHORIZATION_PENDING"
				: isDone
					? "SUCCESS"
					: "ACCOUNTS_IN_PROGRESS",
			createdAt: item.createdAt,
			// As if it had just been renewed: every update has changed something.
			updatedAt: this.#now(),
			statusDetail: null,
			userAction: null,
			nextAutoSyncAt: null,
		});
	}

	/**
	 * @param {string} id
	 * @returns {Promise<Account[]>}
	 */
	async accounts(id) {
		const item = this.#items.get(id);
		if (item === undefined) return [];
		const number = `0001/${String(item.place).padStart(6, "0")}-0`;
		return [
			/** @type {Account} */ ({
				id,
				type: "BANK",
				number,
				owner: item.owner,
				taxNumber: null,
			}),
		];
	}

	/** @param {string} id */
	async deleteItem(id) {
		this.#items.delete(id);
	}
}
