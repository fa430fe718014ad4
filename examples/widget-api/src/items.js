/**
 * Items: connections to banks. The database holds what should be: an item should exist at Pluggy as long as its consent is not
 * withdrawn, and only our own deletion ends it. `reconcile` makes Pluggy and the database agree on one item. Whatever happens calls
 * it: a log, a webhook, an open list, a cancellation, and every minute `sweep`, so what fails or is cut off is done again.
 */
import { clientByUuid } from "./clients.js";
import { consentOf, Refusal } from "./links.js";
import { awaitsApproval, PRIORITY, placeOf, textOf, timeOf } from "./pluggy.js";
import { ENDED, taskOf } from "./tasks.js";

/** @import { Account, Item } from "pluggy-sdk" */
/** @import { App } from "./app.js" */
/** @import { Statement } from "./database.js" */

/** A row of the table `item`, with the columns that `ROWS` adds. @typedef {Record<string, any>} Row */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long an item is read again until its status is final. */
const CONFIRMATION_MS = DAY_MS;

/** How long another person may take to approve, if Pluggy names no day. */
const APPROVAL_MS = 15 * DAY_MS;

/** How often an item that waits is read while its client looks at the list. */
const POLL_MS = 5_000;

/** How late Pluggy's own update of an item must be to count as lost. */
const LATE_MS = 6 * HOUR_MS;

/** How many items of a link may be unfinished, so that one link does not use up what Pluggy allows. */
const MAX_UNFINISHED = 16;

/** How long the entries of the log are kept. */
const RETENTION_MS = 90 * DAY_MS;

/** Statuses after which Pluggy does nothing more by itself. */
const FINAL = ["UPDATED", "LOGIN_ERROR", "OUTDATED"];

/** The rows of items, with what their links say. */
export const ROWS = `SELECT item.*, cover.cancelled_at AS withdrawn_at, namer.client AS named_by
	FROM item LEFT JOIN link cover ON cover.token_hash = item.consent LEFT JOIN link namer ON namer.token_hash = item.link`;

/** The rows on which Pluggy and the database may not agree yet. `$1` is now. */
const UNFINISHED = `(item.answered < item.asked OR item.deleted_at IS NULL
	AND (item.status IS NULL OR cover.cancelled_at IS NOT NULL OR item.waits_until > $1))`;

export class Items {
	/** What is being reconciled. @type {Map<string, { isWaiting: boolean, result: Promise<Row | undefined> }>} */
	running = new Map();

	/** @type {Promise<void> | undefined} */
	#sweeping;

	/** @param {Omit<App, "items">} app */
	constructor(app) {
		this.app = app;
	}

	/**
	 * Stores that an item was named, with other statements. It is read soon, or by `sweep` if the process ends before.
	 * @throws {Refusal} if the link has too many. Vincula sends an item again after a 429.
	 * @param {string} id
	 * @param {string | null} link that named it; null if a webhook did
	 * @param {Statement[]} others
	 */
	async name(id, link, others = []) {
		const { count } = await this.app.database.get(
			`SELECT CAST(count(*) AS INTEGER) AS count FROM item WHERE link = $2 AND id <> $3 AND gone_at IS NULL
				AND (status IS NULL OR waits_until > $1)`,
			this.#time(),
			link,
			id,
		);
		if (count >= MAX_UNFINISHED) throw new Refusal(429, "Too many items");
		await this.app.database.batch([
			[
				`INSERT INTO item (id, link, seen_at, asked_at) VALUES ($1, $2, $3, $3)
				ON CONFLICT (id) DO UPDATE SET asked = item.asked + 1, asked_at = excluded.asked_at,
					link = coalesce(item.link, excluded.link)`,
				id,
				link,
				this.#time(),
			],
			...others,
		]);
	}

	/**
	 * Makes Pluggy and the database agree on an item, and returns its row. Calls for an item that is being reconciled share one
	 * run after the present one, if they have the same priority: none waits for a run of a lower one.
	 * @throws {import("./pluggy.js").PluggyError} if they do not agree yet
	 * @param {string} id
	 * @param {number} priority
	 * @returns {Promise<Row | undefined>}
	 */
	reconcile(id, priority = PRIORITY.reading) {
		const key = `${priority} ${id}`;
		const before = this.running.get(key);
		if (before?.isWaiting) return before.result;
		const start = async () => {
			await before?.result.catch(() => {});
			run.isWaiting = false;
			try {
				return await this.#agree(id, priority);
			} finally {
				if (this.running.get(key) === run) this.running.delete(key);
			}
		};
		const run = { isWaiting: true, result: Promise.resolve().then(start) };
		this.running.set(key, run);
		return run.result;
	}

	/** Calls `reconcile`, and logs a failure: `sweep` repeats it. @param {string} id @param {number} [priority] */
	async reconcileLater(id, priority) {
		try {
			await this.reconcile(id, priority);
		} catch (error) {
			this.app.log.warn({ item: id }, `not reconciled yet: ${error}`);
		}
	}

	/** @param {string} id @param {number} least the priority, if no client waits for the item */
	async #agree(id, least) {
		const known = await this.#row(id);
		if (known === undefined) return undefined;
		// The client of a new item looks at the list.
		const isNew = known.status === null;
		const priority = isNew ? Math.max(least, PRIORITY.awaited) : least;
		await this.app.database.run(
			"UPDATE item SET tried_at = $2 WHERE id = $1",
			id,
			this.#time(),
		);
		// Anybody may name any id. It has a consent once Pluggy has said whose it is.
		if (!isLeaving(known)) {
			const item = await this.app.pluggy.item(id, priority);
			if (item === undefined) await this.#missing(id);
			else await this.#store(known, item);
		}
		const now = await this.#row(id);
		if (now === undefined) return undefined;
		/** @type {Row} */
		const row = { ...now, asked: known.asked };
		if (isLeaving(row))
			return this.delete(row, "deleted at Pluggy: its consent is withdrawn");
		if (row.deleted_at !== null) return this.#finish(row, row.result);
		if (row.gone_at !== null) return this.#finish(row, "gone at Pluggy");
		if (row.status === null) return this.#finish(row, "not found at Pluggy");
		return this.#finish(row, await this.#readAccounts(row, priority));
	}

	/** @param {string} id @returns {Promise<Row | undefined>} */
	#row(id) {
		return this.app.database.get(`${ROWS} WHERE item.id = $1`, id);
	}

	/**
	 * Stores what Pluggy returned, unless the stored state is newer: webhooks arrive in any order.
	 * @param {Row} known
	 * @param {Item} item
	 */
	async #store(known, item) {
		// Some connectors lose the client. Then only the client's browser and Pluggy know the id.
		const uuid = textOf(item.clientUserId) || known.named_by;
		const client = await clientByUuid(this.app.database, uuid);
		const consent =
			client &&
			(await consentOf(this.app, client, known.consent ?? known.link));
		await this.app.database.run(
			`UPDATE item SET client = $2, bank = $4, status = $5, execution_status = $6, updated_at = $7, last_updated_at = $8,
				next_auto_sync_at = $9, consent_expires_at = $10, waits_until = $11, gone_at = NULL, deleted_at = NULL,
				consent = CASE WHEN consent = $12 THEN $3 ELSE coalesce(consent, $3) END
			WHERE id = $1 AND (updated_at IS NULL OR updated_at <= $7)`,
			known.id,
			client?.uuid ?? null,
			consent?.link ?? null,
			textOf(item.connector?.name) || "Banco não informado",
			textOf(item.status) || "UNKNOWN",
			textOf(item.executionStatus),
			timeOf(item.updatedAt) ?? known.updated_at ?? known.seen_at,
			// After a partial success, Pluggy has a date for each product.
			timeOf((item.statusDetail?.transactions ?? item).lastUpdatedAt),
			timeOf(item.nextAutoSyncAt),
			timeOf(item.consentExpiresAt),
			this.#waitsUntil(known, item),
			// The firm may have changed, but a withdrawn consent stays.
			known.withdrawn_at === null ? known.consent : null,
		);
	}

	/**
	 * Returns until when an item is read again; null if its status is final. The time begins again when the item is named.
	 * @param {Row} known
	 * @param {Item} item
	 */
	#waitsUntil(known, item) {
		const isPending = awaitsApproval(item);
		if (FINAL.includes(item.status) && !isPending) return null;
		const expiresAt = isPending ? timeOf(item.userAction?.expiresAt) : null;
		if (expiresAt !== null) return expiresAt;
		if (known.waits_until !== null && known.answered === known.asked)
			return known.waits_until;
		return this.#time(isPending ? APPROVAL_MS : CONFIRMATION_MS);
	}

	/**
	 * Pluggy does not return the item. This may be a mistake, so the item is read again for a day. One that Pluggy has never
	 * returned is then forgotten.
	 * @param {string} id
	 */
	async #missing(id) {
		await this.app.database.batch([
			[
				"UPDATE item SET gone_at = $2, waits_until = $3 WHERE id = $1 AND status IS NOT NULL AND gone_at IS NULL",
				id,
				this.#time(),
				this.#time(CONFIRMATION_MS),
			],
			[
				"DELETE FROM item WHERE id = $1 AND status IS NULL AND (link IS NULL OR asked_at < $2)",
				id,
				this.#time(-CONFIRMATION_MS),
			],
		]);
	}

	/**
	 * Deletes an item at Pluggy, and its accounts here. Nothing else ends an item.
	 * @throws {import("./pluggy.js").PluggyError} if Pluggy does not accept it
	 * @param {Row} row
	 * @param {string} result
	 */
	async delete(row, result) {
		await this.app.pluggy.deleteItem(row.id);
		const now = this.#time();
		await this.app.database.batch([
			[
				"UPDATE item SET deleted_at = $2, gone_at = $2 WHERE id = $1",
				row.id,
				now,
			],
			["DELETE FROM account WHERE item = $1", row.id],
		]);
		return this.#finish({ ...row, deleted_at: now, gone_at: now }, result);
	}

	/**
	 * Stores that an item was reconciled. The log gets one line about it, unless that is the same as before.
	 * @param {Row} row
	 * @param {string} result
	 */
	async #finish(row, result) {
		await this.app.database.run(
			"UPDATE item SET answered = $2, result = $3, listed = $4 WHERE id = $1",
			row.id,
			row.asked,
			result,
			row.listed,
		);
		const level = taskOf(row, this.app.now()) === undefined ? "info" : "warn";
		if (result !== row.result) this.app.log[level]({ item: row.id }, result);
		return row;
	}

	/** Reads the accounts of an item that has some, and returns what to log. @param {Row} row @param {number} priority */
	async #readAccounts(row, priority) {
		const status = `${row.status}/${row.execution_status}`;
		if (row.client === null) return `${status}: of no client, kept apart`;
		if (row.consent === null) return `${status}: no consent, kept apart`;
		if (row.status !== "UPDATED") return status;
		const accounts = await this.app.pluggy.accounts(row.id, priority);
		const listed = accounts.filter(
			(account) => account?.type === "BANK" && textOf(account.id) !== "",
		);
		// After a consent has ended, Pluggy has no data. This deletes nothing.
		if (listed.length > 0) await this.#storeAccounts(row.id, listed);
		row.listed = listed.length;
		return `${status}: ${listed.length} of ${accounts.length} accounts are listed`;
	}

	/**
	 * Stores an item's accounts, and deletes those that it has no longer.
	 * @param {string} item
	 * @param {Account[]} accounts
	 */
	async #storeAccounts(item, accounts) {
		const ids = accounts.map(({ id }) => textOf(id));
		const places = ids.map((_, index) => `$${index + 2}`).join();
		/** @type {Statement[]} */
		const statements = accounts.map((account) => [
			`INSERT INTO account (id, item, agency, number, name)
			SELECT $1, id, $3, $4, $5 FROM item WHERE id = $2 AND gone_at IS NULL
			ON CONFLICT (id) DO UPDATE SET item = excluded.item, agency = excluded.agency, number = excluded.number,
				name = excluded.name`,
			textOf(account.id),
			item,
			...placeOf(account),
			textOf(account.owner) ||
				textOf(account.marketingName) ||
				textOf(account.name),
		]);
		await this.app.database.batch([
			[
				`DELETE FROM account WHERE item = $1 AND id NOT IN (${places})`,
				item,
				...ids,
			],
			...statements,
		]);
	}

	/**
	 * Returns the rows of list-accounts: accounts that can be read. An account that several items share is listed once. If a
	 * cancellation has failed, the accounts that remain are listed.
	 * @param {string} client
	 */
	list(client) {
		return this.app.database.all(
			`SELECT item.bank, account.agency, account.number, min(account.name) AS name FROM item
			JOIN account ON account.item = item.id
			WHERE item.client = $1 AND item.consent IS NOT NULL AND item.gone_at IS NULL
				AND coalesce(item.execution_status, '') NOT IN ('${ENDED.join("','")}')
				AND (item.consent_expires_at IS NULL OR item.consent_expires_at > $2)
			GROUP BY item.bank, account.agency, account.number, CASE WHEN account.number = '' THEN account.id ELSE '' END
			ORDER BY min(item.seen_at), item.bank, account.agency, account.number`,
			client,
			this.#time(),
		);
	}

	/**
	 * Reads again what a client who looks at the list is waiting for, in the background; no id that Pluggy does not know, which may
	 * be invented.
	 * @param {string} client
	 */
	async watch(client) {
		const rows = await this.app.database.all(
			`${ROWS} WHERE ${UNFINISHED} AND (item.client = $2 OR item.client IS NULL AND namer.client = $2)
				AND (item.status IS NOT NULL OR item.answered < item.asked)`,
			this.#time(),
			client,
		);
		for (const row of rows)
			if (this.#isDue(row, POLL_MS))
				void this.reconcileLater(row.id, PRIORITY.awaited);
	}

	/**
	 * Reconciles what is unfinished, and what Pluggy should have updated long ago: a webhook may be lost. Forgets old logs. Calls
	 * at the same time share a run. A failure is logged: the next sweep makes up for it.
	 */
	sweep() {
		this.#sweeping ??= this.#sweep()
			.catch((error) => this.app.log.error(error.stack))
			.finally(() => (this.#sweeping = undefined));
		return this.#sweeping;
	}

	async #sweep() {
		const rows = await this.app.database.all(
			`${ROWS} WHERE ${UNFINISHED} OR item.gone_at IS NULL AND item.next_auto_sync_at < $2`,
			this.#time(),
			this.#time(-LATE_MS),
		);
		const due = rows.filter((row) => this.#isDue(row, HOUR_MS));
		await Promise.all(due.map(({ id }) => this.reconcileLater(id)));
		await this.app.database.run(
			"DELETE FROM log WHERE at < $1",
			this.#time(-RETENTION_MS),
		);
	}

	/**
	 * Whether it is time to read an item. One that is only waited for is read after a quarter of its age: soon if it is new.
	 * @param {Row} row
	 * @param {number} longest the longest pause
	 */
	#isDue(row, longest) {
		const since = (/** @type {string} */ time) =>
			this.app.now().getTime() - Date.parse(time);
		const age = Math.max(since(row.asked_at) / 4, POLL_MS);
		const isUrgent = isLeaving(row) || row.answered < row.asked;
		const pause = isUrgent && longest > POLL_MS ? 0 : Math.min(age, longest);
		const passed = since(row.tried_at);
		// After the clock was set back, a time is in the future.
		return !(passed >= 0 && passed < pause);
	}

	/** The present time, or one before or after it. */
	#time(ms = 0) {
		return new Date(this.app.now().getTime() + ms).toISOString();
	}
}

/** Whether an item should not exist and Pluggy has not accepted its deletion. @param {Row} row */
const isLeaving = ({ withdrawn_at, deleted_at }) =>
	withdrawn_at !== null && deleted_at === null;
