/** What the firm has to do. */

/** @import { Row } from "./items.js" */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long before its end a consent is to be renewed. */
const EXPIRING_MS = 30 * DAY_MS;

/** How long a bank may be out of reach before its client is asked. */
const OUTDATED_MS = 2 * DAY_MS;

/** How long an item that is gone is a task. */
const GONE_MS = 30 * DAY_MS;

/** Results that only the client can repair. */
export const ENDED = [
	"USER_AUTHORIZATION_REVOKED",
	"USER_AUTHORIZATION_NOT_GRANTED",
];

/**
 * Returns why the firm has to act on an item, and the command that helps; undefined if it need not.
 * @param {Row} row
 * @param {Date} now
 * @param {boolean | number} isActive whether the firm works for its client
 * @returns {[reason: string, command: string] | undefined}
 */
export function taskOf(row, now, isActive = true) {
	const isPast = (/** @type {string | null} */ time, ms = 0) =>
		time !== null && Date.parse(time) + ms < now.getTime();
	const update = `link -- --type update --item ${row.id}`;
	const link = `link -- --item ${row.id}`;
	const remove = `delete -- --item ${row.id}`;
	const { status, withdrawn_at, gone_at, consent_expires_at: end } = row;
	const isFailed = status === "LOGIN_ERROR";
	if (row.deleted_at !== null || status === null) return undefined;
	if (isPast(withdrawn_at, HOUR_MS)) return ["its deletion fails", remove];
	if (withdrawn_at !== null || isPast(gone_at, GONE_MS)) return undefined;
	if (row.client === null) return ["it has no client here", remove];
	if (!isActive) return ["its client has left", `leave -- --item ${row.id}`];
	if (gone_at !== null) return ["it is gone at Pluggy", link];
	if (row.consent === null) return ["no consent covers it", link];
	if (ENDED.includes(row.execution_status))
		return ["its authorisation has ended", update];
	if (isFailed && row.last_updated_at === null)
		return ["its first login failed", remove];
	if (isFailed) return ["the bank refuses the login", update];
	if (isPast(end, -EXPIRING_MS))
		return [`its consent ends on ${end.slice(0, 10)}`, update];
	if (isPast(row.waits_until))
		return ["its client has not finished the login", update];
	if (status === "UPDATED" && row.listed === 0)
		return ["its bank returns no accounts", update];
	const isWaiting = row.waits_until !== null;
	if (!isWaiting && isPast(row.last_updated_at ?? row.seen_at, OUTDATED_MS))
		return ["no transactions were read for two days", update];
	return undefined;
}
