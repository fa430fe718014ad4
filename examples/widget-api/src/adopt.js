/**
 * What happens to an item after its id is known, as jobs: `adopt` reads the item, `sync` its accounts, `remove` deletes it
 * at Pluggy. Each may run twice, and in any order.
 */
import { clientByUuid } from "./clients.js";
import { leave } from "./items.js";

/** @import { Account, Item } from "pluggy-sdk" */
/** @import { App } from "./app.js" */
/** @import { Client } from "./clients.js" */

const DAY_MS = 24 * 3_600_000;

/** Where Pluggy does not say how long another person has to approve. */
const APPROVAL_MS = 15 * DAY_MS;

/** The shortest and the longest pause before an item that waits is read again. */
const RECHECK_MS = { min: 3_000, max: 3_600_000 };

/**
 * A time of Pluggy's as the tables have it. The SDK makes a `Date` of it only where it has milliseconds.
 * @param {Date | string} time
 */
export const iso = (time) => new Date(time).toISOString();

/**
 * Reads an item, and stores it as the client's that its `clientUserId` names.
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
	// From here on the item is read again by the same job as after a webhook.
	app.jobs.add("adopt", id, { at: again });
	return undefined;
}

/**
 * Stores an item that was read.
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
	// Before the tables: an item whose id is lost can never be deleted.
	app.ledger.add(item.id, client.uuid);
	return database.transaction(() => {
		const known = database.get(
			"SELECT state, updated_at FROM item WHERE id = ?",
			item.id,
		);
		const updatedAt = iso(item.updatedAt);
		// Webhooks arrive out of order.
		if (known !== undefined && known.updated_at > updatedAt) return undefined;
		const [waits, until] = waitOf(item, now());
		database.run(
			`INSERT INTO item (id, client, bank, status, execution_status, waits, waits_until, created_at, updated_at,
				next_auto_sync_at, state)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'active')
			ON CONFLICT (id) DO UPDATE SET client = excluded.client, bank = excluded.bank, status = excluded.status,
				execution_status = excluded.execution_status, waits = excluded.waits, waits_until = excluded.waits_until,
				updated_at = excluded.updated_at, next_auto_sync_at = excluded.next_auto_sync_at,
				state = CASE state WHEN 'quarantined' THEN 'active' ELSE state END`,
			item.id,
			client.uuid,
			item.connector.name,
			item.status,
			item.executionStatus,
			waits,
			until?.toISOString() ?? null,
			iso(item.createdAt),
			updatedAt,
			item.nextAutoSyncAt ? iso(item.nextAutoSyncAt) : null,
		);
		if (known?.state === "leaving" || known?.state === "gone") return undefined;
		if (isTooLate(app, client, item)) {
			leave(app, [item.id]);
			return undefined;
		}
		const isUpdated = item.status === "UPDATED";
		if (isUpdated) app.jobs.add("sync", item.id);
		const isWaiting =
			waits === "awaiting_approval" || (waits === "confirming" && !isUpdated);
		if (!isWaiting || until <= now()) return undefined;
		return recheckAt(item, now());
	});
}

/**
 * Whether the client has cancelled since: the item is from before, or no consent has followed.
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
 * What an item waits for, as the row of list-accounts says it, and until when the row is shown.
 * @param {Item} item
 * @param {Date} now
 * @returns {["confirming" | "awaiting_approval", Date] | [null, null]}
 */
export function waitOf(item, now) {
	const created = new Date(item.createdAt).getTime();
	if (awaitsApproval(item)) {
		const until = item.userAction?.expiresAt ?? created + APPROVAL_MS;
		return ["awaiting_approval", new Date(until)];
	}
	// Of an UPDATED one the accounts come with the next job.
	const isConfirming = ["UPDATING", "MERGING", "UPDATED"].includes(item.status);
	const until = new Date(created + DAY_MS);
	return isConfirming && until > now ? ["confirming", until] : [null, null];
}

/** @param {Item} item */
function awaitsApproval(item) {
	const { hasResourcesPendingAuthorization } =
		/** @type {{ hasResourcesPendingAuthorization?: boolean }} */ (item);
	const warnings = Object.values(item.statusDetail ?? {}).flatMap(
		(product) => product?.warnings ?? [],
	);
	// Neither the field nor the code is in the SDK's types.
	return (
		item.executionStatus === "USER_AUTHORIZATION_PENDING" ||
		hasResourcesPendingAuthorization === true ||
		warnings.some(({ code }) => String(code) === "002")
	);
}

/**
 * After a quarter of the item's age: soon for a new one, rarely for one that waits for days.
 * @param {Item} item
 * @param {Date} now
 */
function recheckAt(item, now) {
	const age = now.getTime() - new Date(item.createdAt).getTime();
	const pause = Math.min(Math.max(age / 4, RECHECK_MS.min), RECHECK_MS.max);
	return new Date(now.getTime() + pause);
}

/**
 * Keeps an item of an unknown client apart. It is never deleted by program: the database may be the wrong one.
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
		database.run(
			"UPDATE item SET waits = NULL WHERE id = ? AND waits = 'confirming'",
			id,
		);
		leave(app, olderTwins(app, id));
	});
}

/**
 * Branch and number of an account: the last two parts of `260/0001/06809695-5`.
 * @param {Pick<Account, "bankData" | "number">} account
 */
export function placeOf({ bankData, number }) {
	const parts = (bankData?.transferNumber || number).split("/");
	return { agency: parts.at(-2) ?? "", number: parts.at(-1) ?? "" };
}

/**
 * Older items of the same client with an account of this one: the bank was linked twice, and the newer works.
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
