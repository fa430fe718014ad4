/**
 * The jobs of an item: `adopt` reads it, `sync` reads its accounts, `remove` deletes it at Pluggy. Each may run twice, and in
 * any order.
 */
import { clientByUuid } from "./clients.js";
import { leave } from "./items.js";

/** @import { Account, Item } from "pluggy-sdk" */
/** @import { App } from "./app.js" */
/** @import { Client } from "./clients.js" */

const DAY_MS = 24 * 3_600_000;

/** How long a new item may take to get its accounts. */
const CONFIRMATION_MS = DAY_MS;

/** How long another person may take to approve, if Pluggy names no day. */
const APPROVAL_MS = 15 * DAY_MS;

/** Limits of the pause before a waiting item is read again. */
const RECHECK_MS = { min: 3_000, max: 3_600_000 };

/**
 * Formats a time of Pluggy's for the tables. The SDK parses only times that have milliseconds.
 * @param {Date | string} time
 */
export const iso = (time) => new Date(time).toISOString();

/**
 * Reads an item and stores it for the client that its `clientUserId` names.
 * @param {App} app
 * @param {string} id
 * @param {string} claimedBy the client whose link named it; empty for a webhook
 * @returns {Promise<Date | undefined>} when to look again, if the item waits
 */
export async function adopt(app, id, claimedBy) {
	const item = await app.pluggy.item(id);
	if (item === undefined) {
		app.database.transaction(() => markGone(app, id));
		return undefined;
	}
	const again = store(app, item, claimedBy);
	if (claimedBy === "" || again === undefined) return again;
	// One job polls the item, whoever named it.
	app.jobs.add("adopt", id, { at: again });
	return undefined;
}

/**
 * Stores an item.
 * @param {App} app
 * @param {Item} item
 * @param {string} claimedBy
 * @returns {Date | undefined} when to look again, if it waits
 */
export function store(app, item, claimedBy) {
	const { database, now } = app;
	const client = item.clientUserId
		? clientByUuid(database, item.clientUserId)
		: undefined;
	if (client === undefined) return void quarantine(app, item);
	if (claimedBy !== "" && claimedBy !== client.uuid) {
		app.alert(`item ${item.id} was named by a link of another client`);
		return undefined;
	}
	// First, because an item whose id is lost can never be deleted.
	app.ledger.add(item.id, client.uuid);
	return database.transaction(() => {
		const known = database.get(
			"SELECT state, updated_at FROM item WHERE id = ?",
			item.id,
		);
		const updatedAt = iso(item.updatedAt);
		// Webhooks arrive out of order.
		if (known !== undefined && known.updated_at > updatedAt) return undefined;
		database.run(
			`INSERT INTO item (id, client, bank, status, execution_status, created_at, updated_at, next_auto_sync_at, state)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'active')
			ON CONFLICT (id) DO UPDATE SET client = excluded.client, bank = excluded.bank, status = excluded.status,
				execution_status = excluded.execution_status, updated_at = excluded.updated_at,
				next_auto_sync_at = excluded.next_auto_sync_at,
				state = CASE state WHEN 'quarantined' THEN 'active' ELSE state END`,
			item.id,
			client.uuid,
			item.connector.name,
			item.status,
			item.executionStatus,
			iso(item.createdAt),
			updatedAt,
			item.nextAutoSyncAt ? iso(item.nextAutoSyncAt) : null,
		);
		if (known?.state === "leaving" || known?.state === "gone") return undefined;
		// The client was at the bank while the firm ended the work. Items from before stay until `endAll`.
		const isUnwanted = !client.isActive && known?.state !== "active";
		if (isUnwanted || isTooLate(app, client, item)) {
			leave(app, [item.id]);
			return undefined;
		}
		if (item.status === "UPDATED") app.jobs.add("sync", item.id);
		const until = waitsUntil(item);
		if (until === undefined || until <= now()) return undefined;
		return recheckAt(item, now());
	});
}

/**
 * Whether the client cancelled after the item was made, or has not consented since.
 * @param {App} app
 * @param {Client} client
 * @param {Item} item
 */
function isTooLate({ database }, { uuid, cancelledAt }, item) {
	if (cancelledAt === null) return false;
	const { last } = database.get(
		"SELECT max(given_at) AS last FROM consent WHERE client = ?",
		uuid,
	);
	return iso(item.createdAt) <= cancelledAt || (last ?? "") <= cancelledAt;
}

/**
 * Returns until when an item may wait for its accounts; undefined if it does not wait.
 * @param {Item} item
 */
function waitsUntil(item) {
	const created = new Date(item.createdAt).getTime();
	if (awaitsApproval(item))
		return new Date(item.userAction?.expiresAt ?? created + APPROVAL_MS);
	const isConfirming = ["UPDATING", "MERGING"].includes(item.status);
	return isConfirming ? new Date(created + CONFIRMATION_MS) : undefined;
}

/** @param {Item} item */
function awaitsApproval(item) {
	const { hasResourcesPendingAuthorization } =
		/** @type {{ hasResourcesPendingAuthorization?: boolean }} */ (item);
	const warnings = Object.values(item.statusDetail ?? {}).flatMap(
		(product) => product?.warnings ?? [],
	);
	// The SDK's types have neither the field nor the code.
	return (
		item.executionStatus === "USER_AUTHORIZATION_PENDING" ||
		hasResourcesPendingAuthorization === true ||
		warnings.some(({ code }) => String(code) === "002")
	);
}

/**
 * Returns when to read the item again: after a quarter of its age, so soon for a new item and rarely for an old one.
 * @param {Item} item
 * @param {Date} now
 */
function recheckAt(item, now) {
	const age = now.getTime() - new Date(item.createdAt).getTime();
	const pause = Math.min(Math.max(age / 4, RECHECK_MS.min), RECHECK_MS.max);
	return new Date(now.getTime() + pause);
}

/**
 * Keeps an item of an unknown client apart. The program never deletes it, because this may be the wrong database.
 * @param {App} app
 * @param {Item} item
 */
function quarantine(app, item) {
	app.ledger.add(item.id, "");
	const isNew = app.database.run(
		`INSERT INTO item (id, bank, status, execution_status, created_at, updated_at, state)
		VALUES (?, ?, ?, ?, ?, ?, 'quarantined') ON CONFLICT (id) DO NOTHING`,
		item.id,
		item.connector.name,
		item.status,
		item.executionStatus,
		iso(item.createdAt),
		iso(item.updatedAt),
	);
	if (isNew) app.alert(`item ${item.id} is of no client of ours`);
}

/**
 * Copies an item's accounts into the table.
 * @param {App} app
 * @param {string} id
 */
export async function sync(app, id) {
	const { database, pluggy } = app;
	const isActive = () =>
		database.get("SELECT 1 FROM item WHERE id = ? AND state = 'active'", id) !==
		undefined;
	if (!isActive()) return;
	const accounts = await pluggy.accounts(id);
	database.transaction(() => {
		if (!isActive()) return;
		// An empty list deletes nothing: after a consent has ended, Pluggy has no data.
		for (const account of accounts) {
			if (account.type !== "BANK") continue;
			const { agency, number } = placeOf(account);
			database.run(
				`INSERT INTO account (id, item, agency, number, name, tax_number) VALUES (?, ?, ?, ?, ?, ?)
				ON CONFLICT (id) DO UPDATE SET agency = excluded.agency, number = excluded.number, name = excluded.name,
					tax_number = excluded.tax_number`,
				account.id,
				id,
				agency,
				number,
				account.owner || account.marketingName || account.name,
				account.taxNumber,
			);
		}
		leave(app, olderTwins(app, id));
	});
}

/**
 * Returns branch and number of an account: the last two parts of `260/0001/06809695-5`.
 * @param {Pick<Account, "bankData" | "number">} account
 */
export function placeOf({ bankData, number }) {
	const parts = (bankData?.transferNumber || number).split("/");
	return { agency: parts.at(-2) ?? "", number: parts.at(-1) ?? "" };
}

/**
 * Returns the client's older items that have an account of this item: the bank was linked twice.
 * @param {App} app
 * @param {string} id
 * @returns {string[]}
 */
function olderTwins({ database }, id) {
	return database
		.all(
			`SELECT DISTINCT older.id FROM item newer
			JOIN item older ON older.client = newer.client AND older.bank = newer.bank AND older.id <> newer.id
				AND older.created_at < newer.created_at AND older.state = 'active'
			JOIN account mine ON mine.item = newer.id
			JOIN account theirs ON theirs.item = older.id AND theirs.agency = mine.agency AND theirs.number = mine.number
			WHERE newer.id = ?`,
			id,
		)
		.map((row) => row.id);
}

/**
 * Deletes an item at Pluggy, which also revokes the consent at the bank.
 * @param {App} app
 * @param {string} id
 */
export async function remove(app, id) {
	await app.pluggy.deleteItem(id);
	app.database.transaction(() => markGone(app, id));
}

/**
 * @param {App} app
 * @param {string} id
 */
function markGone({ database, ledger }, id) {
	const changed = database.run(
		"UPDATE item SET state = 'gone' WHERE id = ? AND state <> 'gone'",
		id,
	);
	if (changed === 0) return;
	database.run("DELETE FROM account WHERE item = ?", id);
	ledger.gone(id);
}
